//! How the lexer reads texts within its text: here-documents, backticks, and what began as something else.

use super::frame::{Frame, Place, Stage};
use super::lexer::Lexer;

/// Texts within each other that are read by themselves; each level reads its text once more.
const MAX_LEVELS: usize = 8;

impl Lexer<'_> {
    /// Reads as commands what began as an expression or list and has no end: the text was none.
    pub(super) fn read_unclosed(&mut self) {
        let mut outermost = None;
        let frames = self.outer.iter_mut().chain([&mut self.frame]);
        for frame in frames.filter(|frame| !frame.is_of_commands()) {
            frame.word = None;
            outermost.get_or_insert(frame.start);
        }
        if let Some(start) = outermost {
            self.read_within(self.chars.since(start), Frame::default());
        }
    }

    /// Takes the commands of a text within this one, which is read as in the given frame.
    pub(super) fn read_within(&mut self, text: &str, frame: Frame) {
        if self.level >= MAX_LEVELS || text.len() > self.budget {
            self.lexed.is_too_deep = true;
            return;
        }
        let mut inner = Lexer::new(text);
        inner.level = self.level + 1;
        inner.budget = self.budget - text.len();
        inner.knows_posix_quotes = self.knows_posix_quotes;
        inner.pipelines = self.pipelines + 1;
        inner.frame = Frame {
            stage: Stage {
                pipeline: if frame.place == Place::Subshell {
                    frame.stage.pipeline
                } else {
                    inner.pipelines
                },
                ..frame.stage
            },
            ..frame
        };
        inner.run();
        self.pipelines = inner.pipelines;
        self.budget = inner.budget;
        self.is_ambiguous |= inner.is_ambiguous;
        self.lexed.append(inner.lexed);
    }
}
