//! The Markdown that is being written: blocks apart by empty lines, with the prefixes of the lists and quotes around them.

/// Lists and quotes that indent; what is nested deeper goes with the innermost.
const MAX_DEPTH: usize = 12;

/// What indents the blocks inside of it.
#[derive(Debug)]
enum Container {
    /// A quote, and whether it holds a block already.
    Quote { is_begun: bool },
    /// A list, the number of its next item, and whether it has one already.
    List { next: Option<u64>, is_begun: bool },
    /// An item, and the marker that its first block still has to show.
    Item {
        marker: Option<String>,
        width: usize,
    },
}

/// Receives blocks and keeps their text.
#[derive(Debug)]
pub(super) struct Blocks {
    out: String,
    limit: usize,
    containers: Vec<Container>,
    /// Containers that were opened beyond the limit.
    ignored: usize,
    is_tight: bool,
}

impl Blocks {
    /// Makes an empty text that takes no more blocks once it has `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            out: String::new(),
            limit,
            containers: Vec::new(),
            ignored: 0,
            is_tight: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.out.len() >= self.limit
    }

    pub(super) fn into_text(self) -> String {
        self.out
    }

    pub(super) fn open_quote(&mut self) {
        self.open(Container::Quote { is_begun: false });
    }

    /// Opens a list; `next` is the number of the next item, if it has numbers.
    pub(super) fn open_list(&mut self, next: Option<u64>) {
        self.open(Container::List {
            next,
            is_begun: false,
        });
    }

    /// Opens an item of the innermost list, and ends the item before it.
    pub(super) fn open_item(&mut self) {
        if self.ignored > 0 {
            return;
        }
        self.close_item();
        let is_inner = self
            .containers
            .iter()
            .any(|container| matches!(container, Container::Item { .. }));
        let mut is_first = true;
        let mut marker = "- ".to_owned();
        if let Some(Container::List { next, is_begun }) = self.containers.last_mut() {
            is_first = !std::mem::replace(is_begun, true);
            if let Some(number) = next {
                marker = format!("{number}. ");
                *number = number.saturating_add(1);
            }
        }
        let width = marker.len();
        self.open(Container::Item {
            marker: Some(marker),
            width,
        });
        // Only the outermost list stands apart from what is before it.
        self.is_tight = !is_first || is_inner;
    }

    pub(super) fn close_item(&mut self) {
        if self.ignored == 0 && matches!(self.containers.last(), Some(Container::Item { .. })) {
            self.containers.pop();
            self.is_tight = true;
        }
    }

    pub(super) fn close_list(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        self.close_item();
        if matches!(self.containers.last(), Some(Container::List { .. })) {
            self.containers.pop();
            // An inner list is followed by the next item, the outermost by a block of its own.
            self.is_tight = matches!(self.containers.last(), Some(Container::Item { .. }));
        }
    }

    pub(super) fn close_quote(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        // What was left open inside of the quote ends with it.
        if let Some(at) = self
            .containers
            .iter()
            .rposition(|container| matches!(container, Container::Quote { .. }))
        {
            self.containers.truncate(at);
            self.is_tight = false;
        }
    }

    /// Writes a block of one or more lines.
    pub(super) fn push(&mut self, text: &str) {
        if self.is_full() || text.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
            if !self.is_tight {
                self.blank_line();
            }
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.out.push('\n');
            }
            let start = self.out.len();
            for container in &mut self.containers {
                match container {
                    Container::Quote { is_begun } => {
                        *is_begun = true;
                        self.out.push_str("> ");
                    }
                    Container::List { .. } => {}
                    Container::Item { marker, width } => match marker.take() {
                        Some(marker) => self.out.push_str(&marker),
                        None => self.out.extend(std::iter::repeat_n(' ', *width)),
                    },
                }
            }
            if line.is_empty() {
                trim_spaces(&mut self.out, start);
            }
            self.out.push_str(line);
        }
        self.is_tight = false;
    }

    /// Separates two blocks inside of the same quotes.
    fn blank_line(&mut self) {
        let start = self.out.len();
        for container in &self.containers {
            match container {
                Container::Quote { is_begun: true } => self.out.push_str("> "),
                Container::Item {
                    marker: None,
                    width,
                } => self.out.extend(std::iter::repeat_n(' ', *width)),
                Container::Quote { .. } | Container::List { .. } | Container::Item { .. } => {}
            }
        }
        trim_spaces(&mut self.out, start);
        self.out.push('\n');
    }

    fn open(&mut self, container: Container) {
        if self.containers.len() >= MAX_DEPTH * 2 || self.ignored > 0 {
            if !matches!(container, Container::Item { .. }) {
                self.ignored += 1;
            }
            return;
        }
        self.containers.push(container);
    }
}

/// Removes the spaces at the end of a text, as far back as `start`.
fn trim_spaces(text: &mut String, start: usize) {
    let kept = text
        .get(start..)
        .map_or(0, |end| end.trim_end_matches(' ').len());
    text.truncate(start + kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stand_apart_and_items_close_together() {
        let mut blocks = Blocks::new(1_000);
        blocks.push("one");
        blocks.open_list(Some(9));
        blocks.open_item();
        blocks.push("nine\nmore");
        blocks.open_list(None);
        blocks.open_item();
        blocks.push("inner");
        blocks.push("inner again");
        blocks.close_list();
        blocks.open_item();
        blocks.open_quote();
        blocks.push("ten");
        blocks.push("quoted");
        blocks.close_quote();
        blocks.close_list();
        blocks.push("two");
        assert_eq!(
            blocks.into_text(),
            "one\n\n9. nine\n   more\n   - inner\n\n     inner again\n10. > ten\n    >\n    > quoted\n\ntwo"
        );
    }

    #[test]
    fn deep_nesting_indents_no_further_and_closes_in_step() {
        let mut blocks = Blocks::new(100_000);
        for _ in 0..1_000 {
            blocks.open_quote();
        }
        blocks.push("deep");
        for _ in 0..1_000 {
            blocks.close_quote();
        }
        blocks.push("flat");
        assert_eq!(
            blocks.into_text(),
            format!("{}deep\n\nflat", "> ".repeat(24))
        );
    }

    #[test]
    fn ends_without_a_start_are_nothing() {
        let mut blocks = Blocks::new(1_000);
        blocks.close_list();
        blocks.close_item();
        blocks.close_quote();
        blocks.open_item();
        blocks.push("a");
        blocks.close_list();
        assert_eq!(blocks.into_text(), "- a");
    }

    #[test]
    fn a_full_text_takes_no_more() {
        let mut blocks = Blocks::new(3);
        blocks.push("abcd");
        blocks.push("e");
        assert_eq!(blocks.into_text(), "abcd");
    }
}
