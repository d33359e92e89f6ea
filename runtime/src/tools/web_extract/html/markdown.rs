//! Reads the pieces of a page and writes what is worth reading.
//!
//! Scripts, styles, navigation and controls are left out, and everything beside `<main>` where there is one. Text is not escaped: it is read,
//! not rendered.

use url::Url;

use super::attributes::Attributes;
use super::blocks::Blocks;
use super::inline::{Inline, MAX_LINK_BYTES};
use super::table::{Table, layout_tables};
use super::token::{Token, Tokens};

/// Longest title, in characters.
const MAX_TITLE_CHARS: usize = 500;
/// Pieces between two looks at whether the page is still wanted.
const PIECES_PER_LOOK: usize = 4_096;

/// Elements that hold nothing to read.
const NOISE: [&str; 17] = [
    "audio", "button", "canvas", "embed", "iframe", "noembed", "noframes", "noscript", "object",
    "script", "select", "style", "svg", "template", "textarea", "video", "math",
];
/// Elements that hold what every page of a site has.
const FRAME: [&str; 3] = ["aside", "footer", "nav"];
/// Elements that begin and end a block.
const BLOCKS: [&str; 31] = [
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "html",
    "legend",
    "main",
    "nav",
    "p",
    "section",
    "summary",
    "tbody",
    "tfoot",
    "thead",
    "hgroup",
    "search",
    "menu",
];

/// A page as Markdown.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::tools::web_extract) struct Document {
    pub(in crate::tools::web_extract) title: String,
    pub(in crate::tools::web_extract) text: String,
}

/// Converts a page; its links become absolute by `base`. The text stops soon after `limit` bytes.
///
/// Returns `None` if `is_over` says meanwhile that nobody wants the page any more.
pub(in crate::tools::web_extract) fn convert(
    html: &str,
    base: &Url,
    limit: usize,
    is_over: &dyn Fn() -> bool,
) -> Option<Document> {
    let layout = layout_tables(html);
    let document = Reader::new(base, limit, &layout, &FRAME).read(html, is_over)?;
    if !document.text.is_empty() {
        return Some(document);
    }
    // A page that keeps everything in its frame, or never closes it, is better read with it.
    Reader::new(base, limit, &layout, &[]).read(html, is_over)
}

struct Reader<'a> {
    base: Url,
    limit: usize,
    /// For each table to come, whether it only lays out.
    layout: std::slice::Iter<'a, bool>,
    frame: &'a [&'a str],
    blocks: Blocks,
    line: Inline,
    /// An element that is left out, and how often it is open.
    skipped: Option<(String, usize)>,
    heading: usize,
    pre: Option<Pre>,
    table: Option<Table>,
    /// The tables that are open around this place, and for each whether it is one of data.
    tables: Vec<bool>,
    title: Titles,
    main: Main,
}

/// Text that stands as it is.
#[derive(Default)]
struct Pre {
    text: String,
    language: String,
}

/// What may be the title, the better first.
#[derive(Default)]
struct Titles {
    is_open: bool,
    element: String,
    metadata: String,
    heading: String,
}

/// Where the main part of the page stands in the text.
#[derive(Default)]
struct Main {
    start: Option<usize>,
    end: Option<usize>,
}

impl<'a> Reader<'a> {
    fn new(base: &Url, limit: usize, layout: &'a [bool], frame: &'a [&'a str]) -> Self {
        let mut base = base.clone();
        if base.as_str().len() > MAX_LINK_BYTES {
            // What is relative to so long an address is too long itself, and would cost its length for each link.
            base.set_path("/");
            base.set_query(None);
        }
        Self {
            base,
            limit,
            layout: layout.iter(),
            frame,
            blocks: Blocks::new(limit),
            line: Inline::default(),
            skipped: None,
            heading: 0,
            pre: None,
            table: None,
            tables: Vec::new(),
            title: Titles::default(),
            main: Main::default(),
        }
    }

    fn read(mut self, html: &str, is_over: &dyn Fn() -> bool) -> Option<Document> {
        for (index, token) in Tokens::new(html).enumerate() {
            if index % PIECES_PER_LOOK == 0 && is_over() {
                return None;
            }
            if self.is_full() {
                break;
            }
            match token {
                Token::Text(text) => self.text(text),
                Token::Start { name, attributes } => self.start(&name, attributes),
                Token::End { name } => self.end(&name),
            }
        }
        self.end_pre();
        self.end_table();
        self.end_block();
        Some(self.finish())
    }

    fn is_full(&self) -> bool {
        let open = self.pre.as_ref().map_or(0, |pre| pre.text.len())
            + self.table.as_ref().map_or(0, Table::len)
            + self.line.len();
        self.blocks.is_full() || open >= self.limit
    }

    fn finish(self) -> Document {
        let text = self.blocks.into_text();
        let main = self
            .main
            .start
            .map(|start| start..self.main.end.unwrap_or(text.len()));
        let main = main.and_then(|range| text.get(range)).map(str::trim);
        let text = match main {
            Some(main) if !main.is_empty() => main.to_owned(),
            _ => text.trim().to_owned(),
        };
        Document {
            title: self.title.best(),
            text,
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        let text = html_escape::decode_html_entities(text);
        if self.title.is_open {
            self.title.element.push_str(&text);
        } else if let Some(pre) = &mut self.pre {
            pre.text.push_str(&text);
        } else {
            self.line.push_text(&text);
        }
    }

    fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        if let Some((skipped, depth)) = &mut self.skipped {
            if skipped == name {
                *depth += 1;
            }
            return;
        }
        if NOISE.contains(&name) || self.frame.contains(&name) {
            self.skipped = Some((name.to_owned(), 1));
            return;
        }
        if let Some(pre) = &mut self.pre {
            match name {
                "br" => pre.text.push('\n'),
                "code" if pre.language.is_empty() => pre.language = language(attributes),
                _ => {}
            }
            return;
        }
        match name {
            "title" => self.title.is_open = self.title.element.is_empty(),
            "meta" => self.metadata(attributes),
            "base" => {
                let base = attributes
                    .get("href")
                    .filter(|href| href.len() <= MAX_LINK_BYTES);
                if let Some(base) = base.and_then(|href| self.base.join(&href).ok()) {
                    self.base = base;
                }
            }
            "a" => {
                let link = attributes.get("href").and_then(|href| self.link(&href));
                self.line.open_link(link);
            }
            "b" | "strong" => self.line.open("**"),
            "i" | "em" | "cite" | "dfn" => self.line.open("*"),
            "del" | "s" | "strike" => self.line.open("~~"),
            "code" | "kbd" | "samp" | "tt" => self.line.open("`"),
            "br" => self.line.push_break(),
            "img" => self.image(attributes),
            _ => self.start_block(name, attributes),
        }
    }

    fn start_block(&mut self, name: &str, attributes: Attributes<'_>) {
        if self.table.is_some() {
            return self.start_in_table(name);
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_block();
                self.heading = name
                    .as_bytes()
                    .get(1)
                    .map_or(0, |digit| usize::from(digit.saturating_sub(b'0')));
            }
            "pre" => {
                self.end_block();
                self.pre = Some(Pre {
                    text: String::new(),
                    language: language(attributes),
                });
            }
            "ul" | "ol" | "dir" => {
                self.end_block();
                let first = attributes
                    .get("start")
                    .and_then(|start| start.trim().parse().ok());
                self.blocks
                    .open_list((name == "ol").then(|| first.unwrap_or(1)));
            }
            "li" => {
                self.end_block();
                self.blocks.open_item();
            }
            "blockquote" => {
                self.end_block();
                self.blocks.open_quote();
            }
            "hr" => {
                self.end_block();
                self.blocks.push("---");
            }
            "table" => {
                self.end_block();
                let is_data = !self.layout.next().copied().unwrap_or(true);
                self.tables.push(is_data);
                self.table = is_data.then(Table::default);
            }
            "main" => {
                self.end_block();
                self.main.start.get_or_insert(self.blocks.len());
            }
            "tr" | "td" | "th" => self.end_block(),
            _ if BLOCKS.contains(&name) => self.end_block(),
            _ => {}
        }
    }

    fn start_in_table(&mut self, name: &str) {
        match name {
            "tr" => {
                self.end_cell();
                if let Some(table) = &mut self.table {
                    table.open_row();
                }
            }
            "td" | "th" => {
                self.end_cell();
                self.line.begin();
            }
            "p" | "div" | "li" => self.line.push_text(" "),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipped {
            if skipped == name {
                *depth -= 1;
                if *depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        if self.pre.is_some() {
            if name == "pre" {
                self.end_pre();
            }
            return;
        }
        match name {
            "title" => self.title.is_open = false,
            "a" => self.line.close_link(),
            "b" | "strong" => self.line.close("**"),
            "i" | "em" | "cite" | "dfn" => self.line.close("*"),
            "del" | "s" | "strike" => self.line.close("~~"),
            "code" | "kbd" | "samp" | "tt" => self.line.close("`"),
            "table" => {
                if self.tables.pop() == Some(true) {
                    self.end_table();
                } else {
                    self.end_block();
                }
            }
            _ if self.table.is_some() => {
                if matches!(name, "td" | "th" | "tr") {
                    self.end_cell();
                } else if name == "caption" {
                    let caption = self.line.finish();
                    self.blocks.push(&caption);
                }
            }
            "ul" | "ol" | "dir" => {
                self.end_block();
                self.blocks.close_list();
            }
            "li" => {
                self.end_block();
                self.blocks.close_item();
            }
            "blockquote" => {
                self.end_block();
                self.blocks.close_quote();
            }
            "main" => {
                self.end_block();
                if self.main.start.is_some() {
                    self.main.end.get_or_insert(self.blocks.len());
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "tr" | "td" | "th" => self.end_block(),
            _ if BLOCKS.contains(&name) => self.end_block(),
            _ => {}
        }
    }

    /// Writes the line that was collected as a block of its own.
    fn end_block(&mut self) {
        let line = self.line.finish();
        let heading = std::mem::take(&mut self.heading);
        if line.is_empty() {
            return;
        }
        if heading == 0 {
            self.blocks.push(&line);
            return;
        }
        let line = line.replace('\n', " ");
        if heading == 1 && self.title.heading.is_empty() {
            self.title.heading.clone_from(&line);
        }
        self.blocks.push(&format!("{} {line}", "#".repeat(heading)));
    }

    fn end_cell(&mut self) {
        let is_cell = self.line.is_begun();
        let line = self.line.finish();
        if let Some(table) = &mut self.table
            && (is_cell || !line.is_empty())
        {
            table.push_cell(&line);
        }
    }

    fn end_table(&mut self) {
        if self.table.is_none() {
            return;
        }
        self.end_cell();
        if let Some(table) = self.table.take() {
            self.blocks.push(&table.markdown());
        }
    }

    fn end_pre(&mut self) {
        let Some(pre) = self.pre.take() else { return };
        let text = pre.text.trim_matches('\n').trim_end();
        if text.is_empty() {
            return;
        }
        // A fence is longer than every run of backticks in the text.
        let longest = text
            .split(|letter| letter != '`')
            .map(str::len)
            .max()
            .unwrap_or(0);
        let fence = "`".repeat(longest.saturating_add(1).max(3));
        self.blocks
            .push(&format!("{fence}{}\n{text}\n{fence}", pre.language));
    }

    fn metadata(&mut self, attributes: Attributes<'_>) {
        if self.title.metadata.is_empty()
            && attributes.get("property").as_deref() == Some("og:title")
            && let Some(content) = attributes.get("content")
        {
            self.title.metadata = content.into_owned();
        }
    }

    /// Shows an image by its text and address; one that is inside of the page has no address.
    fn image(&mut self, attributes: Attributes<'_>) {
        let alt = attributes.get("alt").unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = attributes.get("src").unwrap_or_default();
        let is_inline = source
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        let shown = match (is_inline, self.link(&source)) {
            (true, _) if alt.is_empty() => "[IMAGE]".to_owned(),
            (true, _) => format!("[IMAGE: {alt}]"),
            (false, Some(url)) => format!("![{alt}]({url})"),
            (false, None) => alt,
        };
        self.line.push_word(&shown);
    }

    /// Returns where a link leads; `None` for places within the page and for what is no place.
    fn link(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') || href.len() > MAX_LINK_BYTES {
            return None;
        }
        let url = self.base.join(href).ok()?;
        matches!(url.scheme(), "http" | "https" | "mailto" | "ftp").then(|| url.into())
    }
}

impl Titles {
    fn best(&self) -> String {
        let candidates = [&self.element, &self.metadata, &self.heading];
        candidates
            .iter()
            .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
            .find(|title| !title.is_empty())
            .map(|title| title.chars().take(MAX_TITLE_CHARS).collect())
            .unwrap_or_default()
    }
}

/// Returns the language that a class such as `language-rust` names.
fn language(attributes: Attributes<'_>) -> String {
    let class = attributes.get("class").unwrap_or_default();
    class
        .split_whitespace()
        .find_map(|name| {
            name.strip_prefix("language-")
                .or_else(|| name.strip_prefix("lang-"))
        })
        .filter(|name| {
            name.len() <= 32
                && name
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || "+-#._".contains(letter))
        })
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests;
