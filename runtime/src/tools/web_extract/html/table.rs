//! Tables: those that hold data become Markdown tables, those that only lay a page out become blocks.

use super::token::{Token, Tokens};

/// Elements that no cell of a Markdown table can hold.
const BLOCKS: [&str; 14] = [
    "blockquote",
    "dl",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ol",
    "pre",
    "table",
    "ul",
];

/// Tells for each table of a page, in the order of their starts, whether it only lays out.
pub(super) fn layout_tables(html: &str) -> Vec<bool> {
    let mut is_layout = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for token in Tokens::new(html) {
        match token {
            Token::Start { name, .. } => {
                if BLOCKS.contains(&name.as_str())
                    && let Some(flag) = open.last().and_then(|index| is_layout.get_mut(*index))
                {
                    *flag = true;
                }
                if name == "table" {
                    open.push(is_layout.len());
                    is_layout.push(false);
                }
            }
            Token::End { name } if name == "table" => {
                open.pop();
            }
            Token::End { .. } | Token::Text(_) => {}
        }
    }
    is_layout
}

/// A table of data that is being read.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    len: usize,
}

impl Table {
    pub(super) fn open_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the last row.
    pub(super) fn push_cell(&mut self, text: &str) {
        if self.rows.is_empty() {
            self.open_row();
        }
        let cell = text.trim().replace('|', "\\|").replace('\n', " ");
        self.len += cell.len();
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Returns the number of bytes in its cells.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Writes the table; the first row is its head. A table of one column is a list of lines.
    pub(super) fn markdown(&self) -> String {
        let rows: Vec<&Vec<String>> = self
            .rows
            .iter()
            .filter(|row| row.iter().any(|cell| !cell.is_empty()))
            .collect();
        if rows.iter().all(|row| row.len() <= 1) {
            let lines: Vec<String> = rows.iter().map(|row| row.concat()).collect();
            return lines.join("\n");
        }
        let mut lines = Vec::with_capacity(rows.len() + 1);
        for (index, row) in rows.iter().enumerate() {
            lines.push(format!("| {} |", row.join(" | ")));
            if index == 0 {
                lines.push(format!("|{}", " --- |".repeat(row.len())));
            }
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_hold_blocks_only_lay_out() {
        let html = "<table><tr><td><table><tr><td>1</table></table><table><td><p>x</p></table><table><td><ul></table>";
        assert_eq!(layout_tables(html), [true, false, false, true]);
        assert_eq!(layout_tables("</table><table>"), [false]);
    }

    #[test]
    fn a_table_has_a_head_and_escaped_cells() {
        let mut table = Table::default();
        table.push_cell("a");
        table.push_cell(" b|c ");
        table.open_row();
        table.open_row();
        table.push_cell("1\n2");
        assert_eq!(table.markdown(), "| a | b\\|c |\n| --- | --- |\n| 1 2 |");
        let mut column = Table::default();
        column.push_cell("one");
        column.open_row();
        column.push_cell("two");
        assert_eq!(column.markdown(), "one\ntwo");
        assert_eq!(Table::default().markdown(), "");
    }
}
