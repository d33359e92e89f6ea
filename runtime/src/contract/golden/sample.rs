//! The standard outputs that the rows share: one that is shown whole, one with everything that a long one brings.

use std::path::PathBuf;

use super::super::Stdout;

pub(super) fn stdout(text: &str) -> Stdout {
    let size = text.len() as u64;
    Stdout {
        text: text.to_owned(),
        bytes_captured: size,
        bytes_total: size,
        ..Stdout::default()
    }
}

pub(super) fn truncated_stdout() -> Stdout {
    Stdout {
        text: "aé".to_owned(),
        truncated: true,
        bytes_captured: 50_000,
        bytes_total: 60_001,
        bytes_omitted: 10_001,
        warning: Some("too long".to_owned()),
        spill_path: Some(PathBuf::from("/spill/stdout-0.txt")),
    }
}
