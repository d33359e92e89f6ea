//! What a server sent as a title and a text, whatever kind of text it is.
//!
//! This takes time in proportion to the limit of a body, and belongs on a thread that may block.

use thiserror::Error;
use tokio::task::JoinError;

use super::html;
use super::{charset, images};
use crate::net::{Answer, FetchFault};
use crate::tools::read_file::{SAMPLE_BYTES, format_name};

/// Bytes at which the text of a page ends; more than is stored of any page.
const MAX_TEXT_BYTES: usize = 8 << 20;
/// Types of content that is no text, whatever its bytes look like; a slash at the end stands for a whole family.
const BINARY_TYPES: [&str; 14] = [
    "application/gzip",
    "application/java-archive",
    "application/msword",
    "application/pdf",
    "application/vnd.",
    "application/wasm",
    "application/x-7z-compressed",
    "application/x-bzip2",
    "application/x-tar",
    "application/zip",
    "audio/",
    "font/",
    "image/",
    "video/",
];
/// Types in those families that are text all the same: SVG, and office formats of which JSON or XML is the last word.
const TEXT_SUFFIXES: [&str; 2] = ["+json", "+xml"];
/// Starts of files that look like text for a while.
const BINARY_STARTS: [&[u8]; 3] = [b"%PDF-", b"PK\x03\x04", b"\x1f\x8b"];

/// A page that can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) text: String,
}

impl Page {
    /// Reads an answer. `is_over` ends the work when nobody waits for it any more.
    pub(super) fn read(mut answer: Answer, is_over: &dyn Fn() -> bool) -> Result<Self, PageFault> {
        let body = answer.unpack(is_over)?;
        let content_type = answer.content_type.as_deref();
        let kind = content_type.map(|value| essence(value).to_ascii_lowercase());
        if is_binary(&body, kind.as_deref()) {
            let start = body.get(..SAMPLE_BYTES).unwrap_or(&body);
            let name = format_name(start).map(str::to_owned);
            let kind = name.or(kind).filter(|kind| !kind.is_empty());
            return Err(PageFault::Binary(
                kind.unwrap_or_else(|| "unknown binary".to_owned()),
            ));
        }
        let text = charset::decode(&body, content_type);
        drop(body);
        if !is_html(&text, kind.as_deref()) {
            return Ok(Self {
                title: String::new(),
                text: clean(&text),
            });
        }
        let document =
            html::convert(&text, &answer.url, MAX_TEXT_BYTES, is_over).ok_or(PageFault::Over)?;
        Ok(Self {
            title: document.title,
            text: clean(&document.text),
        })
    }
}

/// Folds line ends, and takes out what no text has.
fn clean(text: &str) -> String {
    let text = images::replace(text);
    let text = text.replace("\r\n", "\n").replace(['\r', '\0'], "\n");
    text.trim_end().to_owned()
}

/// Returns the type without its parameters.
fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

fn is_binary(body: &[u8], kind: Option<&str>) -> bool {
    let kind = kind.unwrap_or_default();
    let is_typed = BINARY_TYPES.iter().any(|start| kind.starts_with(start));
    if is_typed && !TEXT_SUFFIXES.iter().any(|end| kind.ends_with(end)) {
        return true;
    }
    let is_utf16 = body.starts_with(b"\xff\xfe") || body.starts_with(b"\xfe\xff");
    let start = body.get(..SAMPLE_BYTES).unwrap_or(body);
    BINARY_STARTS.iter().any(|magic| start.starts_with(magic)) || !is_utf16 && start.contains(&0)
}

fn is_html(text: &str, kind: Option<&str>) -> bool {
    match kind {
        Some("text/html" | "application/xhtml+xml") => true,
        // Servers that do not know say this, or nothing.
        None | Some("" | "text/plain" | "application/octet-stream") => {
            let start: String = text.trim_start().chars().take(14).collect();
            let start = start.to_ascii_lowercase();
            start == "<!doctype html" || start.starts_with("<html")
        }
        Some(_) => false,
    }
}

/// Says why an answer is no page.
#[derive(Debug, Error)]
pub(super) enum PageFault {
    /// The body cannot be unpacked, or not within the limit.
    #[error(transparent)]
    Fetch(#[from] FetchFault),
    /// The body is no text.
    #[error(
        "URL returned binary content ({0}), not a page. Download it with the terminal (curl -L -o) and use read_file on the saved file."
    )]
    Binary(String),
    /// The thread that read the page did not come to an end.
    #[error("Failed to read page: the reader broke off")]
    Broken(#[from] JoinError),
    /// Nobody waits for the page any more.
    #[error("Interrupted")]
    Over,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content_type: Option<&str>, body: &[u8]) -> Result<(String, String), String> {
        let answer = Answer::of("https://example.com/a/", content_type, body);
        Page::read(answer, &|| false)
            .map(|page| (page.title, page.text))
            .map_err(|fault| fault.to_string())
    }

    fn text_of(content_type: Option<&str>, body: &[u8]) -> Result<String, String> {
        read(content_type, body).map(|(_, text)| text)
    }

    #[test]
    fn html_is_converted_and_other_text_stays() {
        let html = b"<!DOCTYPE html><title>T</title><p>a <a href=b>c</a>";
        let converted = Ok(("T".to_owned(), "a [c](https://example.com/a/b)".to_owned()));
        for kind in [
            Some("text/html; charset=utf-8"),
            Some("Application/XHTML+XML"),
            Some("text/plain"),
            Some(""),
            None,
        ] {
            assert_eq!(read(kind, html), converted, "{kind:?}");
        }
        let rows: [(Option<&str>, &[u8], &str); 7] = [
            (
                Some("application/json"),
                b"{\"a\": \"<p>\"}\n",
                "{\"a\": \"<p>\"}",
            ),
            (Some("text/markdown"), b"# a\r\n\r\nb", "# a\n\nb"),
            (Some("application/xml"), b"<a>b</a>", "<a>b</a>"),
            (Some("image/svg+xml"), b"<svg/>", "<svg/>"),
            (None, b"plain", "plain"),
            (Some("text/plain"), b"BMW and MZ", "BMW and MZ"),
            (Some("text/html"), b"", ""),
        ];
        for (kind, body, expected) in rows {
            assert_eq!(text_of(kind, body).as_deref(), Ok(expected), "{kind:?}");
        }
    }

    #[test]
    fn inline_images_go_from_every_kind_of_text() {
        let markdown = b"a ![b](data:image/png;base64,AAAA) c";
        assert_eq!(
            text_of(Some("text/markdown"), markdown).as_deref(),
            Ok("a [IMAGE: b] c")
        );
    }

    #[test]
    fn binary_content_is_named_by_its_start_or_its_type() {
        let rows: [(Option<&str>, &[u8], &str); 8] = [
            (Some("image/png"), b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
            (Some("text/html"), b"%PDF-1.7\nabc", "PDF"),
            (
                Some("application/octet-stream"),
                b"\x7fELF\x02\x01\x01\0",
                "ELF",
            ),
            (Some("image/x-unknown; a=b"), b"abc", "image/x-unknown"),
            (
                Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
                b"PK\x03\x04",
                "ZIP",
            ),
            (None, b"a\0b", "unknown binary"),
            (Some("text/plain"), b"a\0b", "text/plain"),
            (Some("video/mp4"), b"", "video/mp4"),
        ];
        for (content_type, body, kind) in rows {
            assert_eq!(
                read(content_type, body),
                Err(format!(
                    "URL returned binary content ({kind}), not a page. Download it with the terminal (curl -L -o) and use read_file on the saved file."
                ))
            );
        }
    }

    #[test]
    fn utf_16_is_no_binary_content() {
        assert_eq!(text_of(None, b"\xff\xfea\0b\0").as_deref(), Ok("ab"));
    }
}
