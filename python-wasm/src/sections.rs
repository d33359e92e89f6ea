//! The sections of a WebAssembly module, as far as they can be dropped.

use anyhow::{Result, anyhow};

/// Returns a module without its custom sections: names, producers and the like, which nobody reads at run time.
pub(crate) fn without_custom_sections(module: &[u8]) -> Result<Vec<u8>> {
    let damaged = || anyhow!("the pre-initialised module is cut short");
    let (header, mut rest) = module.split_at_checked(8).ok_or_else(damaged)?;
    let mut kept = header.to_vec();
    while let Some((&kind, after_kind)) = rest.split_first() {
        let (size, body) = leb128(after_kind).ok_or_else(damaged)?;
        let after = body.get(size..).ok_or_else(damaged)?;
        let section = rest.get(..rest.len() - after.len()).ok_or_else(damaged)?;
        if kind != 0 {
            kept.extend_from_slice(section);
        }
        rest = after;
    }
    Ok(kept)
}

/// Returns an unsigned number of at most 32 bits and the bytes behind it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_u32;
    for (index, byte) in bytes.iter().enumerate().take(5) {
        value |= u32::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(value).ok()?, bytes.get(index + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn custom_sections_go_and_all_others_stay_as_they_are() {
        let module = b"\0asm\x01\0\0\0\0\x02\x01n\x01\x81\0\0\0\x01x";
        assert_eq!(
            without_custom_sections(module).unwrap(),
            b"\0asm\x01\0\0\0\x01\x81\0\0"
        );
    }

    #[test]
    fn a_module_that_is_cut_short_is_noticed() {
        let error = without_custom_sections(b"\0asm\x01\0\0\0\x01\x05\x00")
            .unwrap_err()
            .to_string();
        assert_eq!(error, "the pre-initialised module is cut short");
    }
}
