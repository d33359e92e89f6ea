//! The guard against writing what `read_file` shows: numbered lines, or its note that nothing changed, are not a file's content.

/// What `read_file` of other hosts says in the place of a content that it has shown before.
const UNCHANGED: &str = "File unchanged since last read.";

const REFUSAL: &str = "Refusing to write internal read_file display text as file content. Strip read_file line-number prefixes or reconstruct the intended file contents before writing.";

/// Returns why a text is not to be written.
pub(super) fn check(text: &str) -> Option<String> {
    (text.trim_start().starts_with(UNCHANGED) || is_numbered(text)).then(|| REFUSAL.to_owned())
}

/// Tells whether at least 60 % of the lines that are not blank carry a number one more, or one less, than a neighbour's.
fn is_numbered(text: &str) -> bool {
    let (mut lines, mut numbered) = (0_u64, 0_u64);
    // The number of the line before, and whether that line is counted already.
    let mut before: Option<(u64, bool)> = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        lines += 1;
        before = number(line).map(|number| match before {
            Some((last, is_counted)) if last.checked_add(1) == Some(number) => {
                numbered += 1 + u64::from(!is_counted);
                (number, true)
            }
            _ => (number, false),
        });
    }
    numbered > 0 && numbered.saturating_mul(10) >= lines.saturating_mul(6)
}

fn number(line: &str) -> Option<u64> {
    let (number, _) = line.trim_start().split_once('|')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_lines_are_refused_from_sixty_percent_on() {
        let rows = [
            ("1|a\n2|b\n", true),
            ("  7|a\n\n  8|\n", true),
            ("1|a\n2|b\n3|c\nx\ny\n", true),
            ("1|a\n2|b\nx\ny\n", false),
            ("1|a\n", false),
            ("1|a\n1|b\n", false),
            ("9|a\n7|b\n5|c\n", false),
            ("|a\n|b\n", false),
            ("a|1\nb|2\n", false),
            ("99999999999999999999|a\n99999999999999999999|b", false),
            ("18446744073709551615|a\n0|b", false),
            ("", false),
            (
                "File unchanged since last read. The content from the earlier read_file result in this conversation is still current — refer to that instead of re-reading.",
                true,
            ),
        ];
        for (text, is_refused) in rows {
            assert_eq!(check(text).is_some(), is_refused, "{text:?}");
        }
    }
}
