//! Merge conflicts in a page: pairs of the markers that open and close one.

const OPENING: &str = "<<<<<<< ";
const CLOSING: &str = ">>>>>>> ";

/// Counts conflicts line by line.
#[derive(Debug, Default)]
pub(super) struct Conflicts {
    is_open: bool,
    blocks: u64,
}

impl Conflicts {
    /// Takes the next line.
    pub(super) fn take(&mut self, line: &str) {
        if line.starts_with(OPENING) {
            self.is_open = true;
        } else if line.starts_with(CLOSING) && self.is_open {
            self.is_open = false;
            self.blocks += 1;
        }
    }

    /// Returns the number of conflicts that were opened and closed.
    pub(super) fn blocks(&self) -> u64 {
        self.blocks
    }
}

/// Returns what to tell a reader about this number of conflicts.
pub(super) fn hint(blocks: u64) -> String {
    format!(
        "This page contains {blocks} unresolved merge conflict block(s), marked by '<<<<<<<' and '>>>>>>>'. Resolve them before you rely on the content."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_of_markers_at_line_starts_count() {
        let rows = [
            ("<<<<<<< HEAD|a|=======|b|>>>>>>> other", 1),
            ("<<<<<<< a|>>>>>>> b|x|<<<<<<< a|>>>>>>> b", 2),
            ("<<<<<<< a|<<<<<<< b|>>>>>>> c", 1),
            (">>>>>>> a|<<<<<<< b", 0),
            ("<<<<<<<|>>>>>>>", 0),
            (" <<<<<<< a|>>>>>>> b", 0),
        ];
        for (text, expected) in rows {
            let mut conflicts = Conflicts::default();
            text.split('|').for_each(|line| conflicts.take(line));
            assert_eq!(conflicts.blocks(), expected, "{text}");
        }
    }
}
