//! Cuts HTML into tags and text, as a browser's tokenizer does, less what only a tree needs.

use memchr::{memchr, memmem};

use super::attributes::Attributes;

/// Elements whose content is text up to their end tag.
const RAW_TEXT: [&str; 9] = [
    "script",
    "style",
    "textarea",
    "title",
    "iframe",
    "noembed",
    "noframes",
    "xmp",
    "plaintext",
];

/// A piece of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text with its character references as they stand.
    Text(&'a str),
    Start {
        name: String,
        attributes: Attributes<'a>,
    },
    End {
        name: String,
    },
}

/// The pieces of a page in their order.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// Set behind the start tag of an element whose content is text.
    raw: Option<String>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self {
            rest: html,
            raw: None,
        }
    }

    /// Takes the first `len` bytes; a `len` that is no boundary takes all.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Takes the content of an element that holds text only.
    fn raw_text(&mut self, name: &str) -> &'a str {
        let bytes = self.rest.as_bytes();
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|rest| memmem::find(rest, b"</")) {
            let end = from + at;
            let after = bytes.get(end + 2..).unwrap_or_default();
            let is_name = after
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
            let is_whole = after
                .get(name.len())
                .is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'));
            if is_name && is_whole {
                return self.take(end);
            }
            from = end + 2;
        }
        self.take(self.rest.len())
    }

    /// Takes a comment, a declaration or a processing instruction, which all are nothing.
    fn skip_declaration(&mut self) {
        let (start, end) = if self.rest.starts_with("<!--") {
            // `<!-->` is a whole comment.
            (2, "-->")
        } else if self.rest.starts_with("<![CDATA[") {
            (9, "]]>")
        } else {
            (2, ">")
        };
        let body = self.rest.as_bytes().get(start..).unwrap_or_default();
        let len =
            memmem::find(body, end.as_bytes()).map_or(self.rest.len(), |at| start + at + end.len());
        self.take(len);
    }

    /// Takes a tag, of which the name begins behind `skip` bytes; `None` if the page ends inside of it.
    fn tag(&mut self, skip: usize) -> Option<(String, &'a str)> {
        let bytes = self.rest.as_bytes();
        let name_len = bytes
            .iter()
            .skip(skip)
            .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'>' | b'/'))
            .count();
        let mut at = skip + name_len;
        let mut quote = None;
        let mut is_value = false;
        loop {
            let byte = bytes.get(at)?;
            match (quote, byte) {
                (Some(open), byte) if open == *byte => quote = None,
                (None, b'>') => break,
                // A quote means something behind an equals sign only.
                (None, b'"' | b'\'') if is_value => quote = Some(*byte),
                _ => {}
            }
            is_value = quote.is_none() && (*byte == b'=' || is_value && byte.is_ascii_whitespace());
            at += 1;
        }
        let tag = self.take(at + 1);
        let name = tag.get(skip..skip + name_len)?.to_ascii_lowercase();
        Some((name, tag.get(skip + name_len..at)?))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(name) = self.raw.take() {
                let text = self.raw_text(&name);
                if !text.is_empty() {
                    return Some(Token::Text(text));
                }
            }
            let bytes = self.rest.as_bytes();
            let first = *bytes.first()?;
            if first != b'<' {
                let len = memchr(b'<', bytes).unwrap_or(bytes.len());
                return Some(Token::Text(self.take(len)));
            }
            match bytes.get(1) {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    let Some((name, attributes)) = self.tag(1) else {
                        self.rest = "";
                        return None;
                    };
                    if RAW_TEXT.contains(&name.as_str()) {
                        self.raw = Some(name.clone());
                    }
                    let attributes = Attributes::new(attributes);
                    return Some(Token::Start { name, attributes });
                }
                Some(b'/') if bytes.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                    let Some((name, _)) = self.tag(2) else {
                        self.rest = "";
                        return None;
                    };
                    return Some(Token::End { name });
                }
                Some(b'!' | b'?' | b'/') => self.skip_declaration(),
                _ => return Some(Token::Text(self.take(1))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the tokens in a short form.
    fn cut(html: &str) -> Vec<String> {
        Tokens::new(html)
            .map(|token| match token {
                Token::Text(text) => text.to_owned(),
                Token::Start { name, .. } => format!("<{name}"),
                Token::End { name } => format!("/{name}"),
            })
            .collect()
    }

    #[test]
    fn tags_and_text_are_told_apart_like_in_a_browser() {
        let rows: [(&str, &[&str]); 15] = [
            ("a<B>c</b >d", &["a", "<b", "c", "/b", "d"]),
            ("<a href='x>y'>z", &["<a", "z"]),
            ("<a href = \"x>y\" b>z", &["<a", "z"]),
            ("<p a\"b>c", &["<p", "c"]),
            ("<br/>x<hr />", &["<br", "x", "<hr"]),
            ("1 < 2 <3", &["1 ", "<", " 2 ", "<", "3"]),
            ("a<!-- <b> -- > -->c", &["a", "c"]),
            ("a<!-->c", &["a", "c"]),
            ("<!doctype html><?xml?></ x>y", &["y"]),
            ("<![CDATA[ <b> ]]>x", &["x"]),
            (
                "<script>if (a</b) '</scripts>'</SCRIPT >x",
                &["<script", "if (a</b) '</scripts>'", "/script", "x"],
            ),
            (
                "<title>a <b> &amp;</title>",
                &["<title", "a <b> &amp;", "/title"],
            ),
            ("x<a href='y", &["x"]),
            ("x<!-- y", &["x"]),
            ("<style>x", &["<style", "x"]),
        ];
        for (html, expected) in rows {
            assert_eq!(cut(html), expected, "{html}");
        }
    }
}
