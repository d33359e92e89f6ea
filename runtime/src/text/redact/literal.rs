//! Owns the question where quoted literals stand in a script or in a command line.
//!
//! Who wrote the text may want it to be misread, so an answer ends where two readers could differ: at a literal that is not closed, at a
//! formatted one whose fields have quotes in them that versions of Python read differently, at whatever opens another context in a shell.

use std::ops::Range;

/// Returns the insides of the string literals of a script in Python; of formatted ones the text around the fields.
pub(super) fn of_python(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at += length_of_line(bytes.get(at..).unwrap_or_default()),
            b'\'' | b'"' => {
                let is_triple = bytes.get(at..at + 3) == Some(&[byte; 3]);
                let width = if is_triple { 3 } else { 1 };
                let start = at + width;
                let Some(end) = end_in_python(bytes, start, byte, is_triple) else {
                    return found;
                };
                if is_formatted(text.get(..at).unwrap_or_default()) {
                    let Some(parts) = around_fields(bytes, start..end) else {
                        return found;
                    };
                    found.extend(parts);
                } else {
                    found.push(start..end);
                }
                at = end + width;
            }
            _ => at += 1,
        }
    }
    found
}

fn length_of_line(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.unwrap_or(bytes.len())
}

fn end_in_python(bytes: &[u8], start: usize, quote: u8, is_triple: bool) -> Option<usize> {
    let mut at = start;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' | b'\r' if !is_triple => return None,
            byte if byte == quote && (!is_triple || bytes.get(at..at + 3) == Some(&[quote; 3])) => {
                return Some(at);
            }
            _ => at += 1,
        }
    }
}

/// Tells whether the literal after `before` may be a formatted one. A keyword before it counts as well, which is only stricter.
fn is_formatted(before: &str) -> bool {
    let word = before
        .bytes()
        .rev()
        .take_while(u8::is_ascii_alphanumeric)
        .take(2);
    word.into_iter()
        .any(|letter| matches!(letter, b'f' | b'F' | b't' | b'T'))
}

/// Returns the parts of a formatted literal that are text, unless its end depends on the version of Python.
fn around_fields(bytes: &[u8], literal: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::new();
    let (mut at, mut begin, mut depth) = (literal.start, literal.start, 0_usize);
    while at < literal.end {
        let (byte, next) = (*bytes.get(at)?, bytes.get(at + 1));
        match (byte, depth) {
            (b'{' | b'}', 0) if next == Some(&byte) => at += 1,
            (b'{', 0) => {
                parts.push(begin..at);
                depth = 1;
            }
            (b'}', 0) | (b'\\' | b'#', 1..) => return None,
            (b'{', _) => depth += 1,
            (b'}', _) => {
                depth -= 1;
                begin = at + 1;
            }
            (b'\'' | b'"', 1..) => {
                let rest = bytes.get(at + 1..literal.end)?;
                let stop = |byte: &u8| br#"{}'"\#"#.contains(byte);
                let length = rest.iter().position(stop)?;
                if length == 0 || rest.get(length) != Some(&byte) {
                    return None;
                }
                at += length + 1;
            }
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then(|| {
        parts.push(begin..literal.end);
        parts
    })
}

/// Returns the insides of the quoted words of a command line.
pub(super) fn of_shell(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (byte, open) {
            (b'\'', Some((b'\'', start))) | (b'"', Some((b'"', start))) => {
                found.push(start..at);
                open = None;
            }
            (_, Some((b'\'', _))) => {}
            (b'\\', _) => at += 1,
            (b'`', _) | (b'#', None) => return found,
            (b'$', _) if matches!(next, Some(b'(' | b'{' | b'[')) => return found,
            (b'$', None) if matches!(next, Some(b'\'' | b'"')) => return found,
            (b'<', None) if next == Some(b'<') => return found,
            (b'\'' | b'"', None) => open = Some((byte, at + 1)),
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        let texts = ranges.into_iter().map(|range| text.get(range));
        texts.map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn literals_of_python_are_read_as_python_reads_them() {
        for (text, expected) in [
            ("a = 'b' + \"c\" # 'd'\n'e'", &["b", "c", "e"][..]),
            ("# '\r'a'", &["a"]),
            ("'''a'b\n''' '' r'\\' 'c'", &["a'b\n", "", "\\' "]),
            ("f'a{b}c' 'd'", &["a", "c", "d"]),
            ("f\"{a['b']}c\" 'd'", &["", "c", "d"]),
            ("f'{{a}}' 'b'", &["{{a}}", "b"]),
            ("f'{'a'}' 'b'", &[]),
            ("f\"{'}'+\"a(b)\"}\" 'c'", &[]),
            ("f'{a:{b}}c'", &["", "c"]),
            ("'a\n'b'", &[]),
            ("'''a", &[]),
        ] {
            assert_eq!(texts(text, of_python(text)), expected, "{text}");
        }
    }

    #[test]
    fn quoted_words_of_a_command_are_found_until_another_context_begins() {
        for (text, expected) in [
            (
                "a 'b' \"c\\\"d\" \\\n \\' 'e\\' 'f'",
                &["b", "c\\\"d", "e\\", "f"][..],
            ),
            ("a 'b' $(c 'd')", &["b"]),
            ("a \"`b 'c'`\"", &[]),
            ("a <<b\n'c'", &[]),
            ("a # it's\n'b'", &[]),
            ("a $'b\\'c' 'd'", &[]),
            ("a \"${b:-'c}\" 'd'", &[]),
        ] {
            assert_eq!(texts(text, of_shell(text)), expected, "{text}");
        }
    }
}
