//! Where the long string literals of a Python source are.
//!
//! Only what can hold several lines of text for a shell is of interest: literals in triple quotes that no part of is code.

use std::ops::Range;

/// Returns the texts of the literals in triple quotes, without those that have code in them (`f"""…"""`). Linear in the source.
pub(super) fn long_literals(source: &str) -> Vec<Range<usize>> {
    let bytes = source.as_bytes();
    let mut literals = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at = line_end(bytes, at),
            b'\'' | b'"' => {
                let is_long = bytes.get(at..at + 3) == Some(&[byte; 3]);
                let start = if is_long { at + 3 } else { at + 1 };
                let end = closing_quote(bytes, start, byte, is_long);
                if let Some(end) = end.filter(|_| is_long && !has_code(bytes, at)) {
                    literals.push(start..end);
                }
                let width = if is_long { 3 } else { 1 };
                at = end.map_or(bytes.len(), |end| end + width);
            }
            _ => at += 1,
        }
    }
    literals
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(bytes.len(), |length| from + length)
}

/// Returns the place of the quotes that end a literal; a short one that is not closed ends with its line.
fn closing_quote(bytes: &[u8], mut at: usize, quote: u8, is_long: bool) -> Option<usize> {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' if !is_long => return Some(at),
            _ if byte == quote && (!is_long || bytes.get(at..at + 3) == Some(&[quote; 3])) => {
                return Some(at);
            }
            _ => at += 1,
        }
    }
    None
}

/// Tells whether the literal that begins at these quotes has a prefix that makes parts of it code.
fn has_code(bytes: &[u8], quotes: usize) -> bool {
    // No prefix has more than two letters.
    let before = bytes
        .get(quotes.saturating_sub(2)..quotes)
        .unwrap_or_default();
    let prefix = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphabetic());
    prefix.into_iter().any(|letter| b"fFtT".contains(letter))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let literals = long_literals(source);
        literals.into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn long_literals_are_found_where_python_sees_them() {
        for (source, expected) in [
            ("x = \"\"\"a\nb\"\"\"; y = '''c'''", vec!["a\nb", "c"]),
            ("x = r'''a\\'''' + rb\"\"\"ü\"\"\"", vec!["a\\'", "ü"]),
            ("# \"\"\" no\nx = 1", vec![]),
            ("x = '\"\"\"'; y = \"'''\"", vec![]),
            ("x = f'''{1}'''; y = rF\"\"\"a\"\"\"; z = t'''b'''", vec![]),
            ("x = 'it\\'s'; y = '''z'''", vec!["z"]),
            ("x = '''it's \"\"\" so'''", vec!["it's \"\"\" so"]),
            ("x = '''never closed", vec![]),
            ("x = 'never closed\ny = '''z'''", vec!["z"]),
            ("x = '' '''z'''", vec!["z"]),
        ] {
            assert_eq!(texts(source), expected, "{source}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_literals_at_its_characters(source in "[a'\"\\\\\n#fü]{0,40}") {
            let _ = texts(&source);
        }
    }
}
