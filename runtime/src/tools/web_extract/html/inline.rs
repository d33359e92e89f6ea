//! One block's line of text: white space is folded, and emphasis, code and links stand tight around what they mark.

/// Marks that can be open at once; what is nested deeper is shown plain.
const MAX_MARKS: usize = 8;
/// Longest address of a link; a longer one is left out.
pub(super) const MAX_LINK_BYTES: usize = 2_000;

/// A mark around text.
#[derive(Debug)]
struct Mark {
    opener: &'static str,
    /// Where a link leads.
    link: Option<String>,
    /// Whether the opener stands in the line already; it does from the first letter on.
    is_written: bool,
}

/// A line that is being written.
#[derive(Debug, Default)]
pub(super) struct Inline {
    line: String,
    marks: Vec<Mark>,
    is_space_due: bool,
    is_begun: bool,
}

impl Inline {
    pub(super) fn len(&self) -> usize {
        self.line.len()
    }

    /// Notes that the line stands for something even if it stays empty.
    pub(super) fn begin(&mut self) {
        self.is_begun = true;
    }

    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Adds text, of which runs of white space are one space.
    pub(super) fn push_text(&mut self, text: &str) {
        let mut words = text.split(is_space).peekable();
        while let Some(word) = words.next() {
            if !word.is_empty() {
                self.push_word(word);
            }
            if words.peek().is_some() {
                self.is_space_due = true;
            }
        }
    }

    /// Adds text without white space at its ends.
    pub(super) fn push_word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let is_due = std::mem::take(&mut self.is_space_due);
        if is_due && !self.line.is_empty() && !self.line.ends_with('\n') {
            self.line.push(' ');
        }
        for mark in &mut self.marks {
            if !mark.is_written {
                self.line.push_str(mark.opener);
                mark.is_written = true;
            }
        }
        self.line.push_str(word);
    }

    /// Breaks the line; breaks at its start are nothing.
    pub(super) fn push_break(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with("\n\n") {
            self.line.push('\n');
        }
        self.is_space_due = false;
    }

    /// Opens emphasis or code.
    pub(super) fn open(&mut self, opener: &'static str) {
        let is_open = self.marks.iter().any(|mark| mark.opener == opener);
        if !is_open && self.marks.len() < MAX_MARKS {
            self.marks.push(Mark {
                opener,
                link: None,
                is_written: false,
            });
        }
    }

    /// Opens a link; without an address its text stays plain.
    pub(super) fn open_link(&mut self, link: Option<String>) {
        // A link in a link ends the outer one, as in a browser.
        self.close_link();
        let link = link.filter(|link| link.len() <= MAX_LINK_BYTES);
        if link.is_some() && self.marks.len() < MAX_MARKS {
            self.marks.push(Mark {
                opener: "[",
                link,
                is_written: false,
            });
        }
    }

    pub(super) fn close(&mut self, opener: &str) {
        if let Some(at) = self.marks.iter().rposition(|mark| mark.opener == opener) {
            self.close_from(at);
            self.marks.remove(at);
        }
    }

    pub(super) fn close_link(&mut self) {
        self.close("[");
    }

    /// Returns the line and begins the next one, in which emphasis goes on and links do not.
    pub(super) fn finish(&mut self) -> String {
        // A link that holds nothing yet may still get its text in the next line.
        let is_kept: Vec<bool> = self
            .marks
            .iter()
            .map(|mark| mark.link.is_none() || !mark.is_written)
            .collect();
        self.close_from(0);
        let mut is_kept = is_kept.into_iter();
        self.marks.retain(|_| is_kept.next().unwrap_or(false));
        self.is_space_due = false;
        self.is_begun = false;
        let mut line = std::mem::take(&mut self.line);
        line.truncate(line.trim_end().len());
        line
    }

    /// Writes the end of every mark from one on; they are open again before the next word.
    fn close_from(&mut self, at: usize) {
        for mark in self.marks.iter_mut().skip(at).rev() {
            if !std::mem::take(&mut mark.is_written) {
                continue;
            }
            match &mark.link {
                Some(link) => {
                    self.line.push_str("](");
                    self.line.push_str(link);
                    self.line.push(')');
                }
                None => self.line.push_str(mark.opener),
            }
        }
    }
}

/// Tells white space that is folded; a no-break space is one for the eye only.
fn is_space(letter: char) -> bool {
    letter.is_ascii_whitespace() || letter == '\u{a0}' || letter == '\0'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_folded_and_moved_out_of_marks() {
        let mut line = Inline::default();
        line.push_text("  a \n b");
        line.open("**");
        line.push_text(" bold ");
        line.close("**");
        line.push_text("c");
        line.open("*");
        line.close("*");
        line.push_text(" \u{a0} ");
        assert_eq!(line.finish(), "a b **bold** c");
        assert_eq!(line.finish(), "");
    }

    #[test]
    fn emphasis_goes_on_in_the_next_line_and_links_do_not() {
        let mut line = Inline::default();
        line.open("**");
        line.open_link(Some("http://x/".to_owned()));
        line.push_text("one");
        assert_eq!(line.finish(), "**[one](http://x/)**");
        line.push_text("two");
        assert_eq!(line.finish(), "**two**");
        line.close("**");
        line.push_text("three");
        assert_eq!(line.finish(), "three");
    }

    #[test]
    fn marks_that_cross_are_closed_in_order() {
        let mut line = Inline::default();
        line.open("**");
        line.push_text("a");
        line.open("*");
        line.push_text("b");
        line.close("**");
        line.push_text("c");
        line.close("*");
        assert_eq!(line.finish(), "**a*b****c*");
    }

    #[test]
    fn breaks_stand_between_words_only() {
        let mut line = Inline::default();
        line.push_break();
        line.push_text("a ");
        line.push_break();
        line.push_break();
        line.push_break();
        line.push_text(" b");
        line.push_break();
        assert_eq!(line.finish(), "a\n\nb");
    }

    #[test]
    fn long_addresses_are_left_out() {
        let mut line = Inline::default();
        line.open_link(Some(format!("http://x/{}", "a".repeat(2_000))));
        line.push_text("text");
        line.close_link();
        assert_eq!(line.finish(), "text");
    }
}
