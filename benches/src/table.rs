//! The table: rows, their goals, and whether they meet them.
//!
//! A figure that is not a number meets no goal.

use std::fmt;

use crate::quantity::{Quantity, Ratio};

/// What a row has to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Goal {
    /// Ours is at most this part of native.
    Ratio(f64),
    AtMost(Quantity),
    AtLeast(Quantity),
}

impl fmt::Display for Goal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Ratio(ratio) => write!(formatter, "ratio ≤ {}", Ratio(ratio)),
            Self::AtMost(quantity) => write!(formatter, "≤ {quantity}"),
            Self::AtLeast(quantity) => write!(formatter, "≥ {quantity}"),
        }
    }
}

/// One measured figure, with the native one where there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    what: String,
    ours: Quantity,
    native: Option<Quantity>,
    goal: Option<Goal>,
}

impl Row {
    /// Makes a row that is only shown.
    pub(crate) fn new(what: impl Into<String>, ours: Quantity) -> Self {
        Self {
            what: what.into(),
            ours,
            native: None,
            goal: None,
        }
    }

    /// Puts the native figure beside ours.
    pub(crate) fn against(mut self, native: Quantity) -> Self {
        self.native = Some(native);
        self
    }

    /// Sets what the row has to reach.
    pub(crate) fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    fn ratio(&self) -> Option<f64> {
        self.native.map(|native| self.ours.value() / native.value())
    }

    fn passes(&self) -> Option<bool> {
        self.goal.map(|goal| match goal {
            Goal::Ratio(limit) => self.ratio().is_some_and(|ratio| ratio <= limit),
            Goal::AtMost(limit) => self.ours.value() <= limit.value(),
            Goal::AtLeast(limit) => self.ours.value() >= limit.value(),
        })
    }

    fn cells(&self) -> [String; COLUMNS] {
        let verdict = match self.passes() {
            None => NOTHING,
            Some(true) => "pass",
            Some(false) => "FAIL",
        };
        [
            self.what.clone(),
            self.ours.to_string(),
            or_nothing(self.native),
            or_nothing(self.ratio().map(Ratio)),
            or_nothing(self.goal),
            verdict.to_owned(),
        ]
    }
}

const COLUMNS: usize = 6;
const HEADER: [&str; COLUMNS] = ["what", "ours", "native", "ratio", "goal", "verdict"];
const NOTHING: &str = "–";

fn or_nothing(cell: Option<impl fmt::Display>) -> String {
    cell.map_or_else(|| NOTHING.to_owned(), |cell| cell.to_string())
}

/// Rows, written as one aligned Markdown table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds rows at the end.
    pub(crate) fn extend(&mut self, rows: impl IntoIterator<Item = Row>) {
        self.rows.extend(rows);
    }

    /// Returns how many rows miss their goal.
    pub(crate) fn failures(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| row.passes() == Some(false))
            .count()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADER.map(str::to_owned)];
        lines.extend(self.rows.iter().map(Row::cells));
        let widths = lines.iter().fold([0; COLUMNS], |widths, line| {
            std::array::from_fn(|column| widths[column].max(line[column].chars().count()))
        });
        for (number, line) in lines.iter().enumerate() {
            for (cell, width) in line.iter().zip(widths) {
                write!(formatter, "| {cell:width$} ")?;
            }
            writeln!(formatter, "|")?;
            if number == 0 {
                for width in widths {
                    write!(formatter, "| {:-<width$} ", "")?;
                }
                writeln!(formatter, "|")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(ours: f64) -> Row {
        Row::new("start", Quantity::Seconds(ours))
            .against(Quantity::Seconds(0.010))
            .goal(Goal::Ratio(0.05))
    }

    #[test]
    fn the_table_is_aligned_by_letters_not_bytes() {
        let mut table = Table::default();
        table.extend([
            start(0.000_4),
            Row::new("a µs row", Quantity::PerSecond(1500.0)),
        ]);
        let expected = "\
| what     | ours   | native  | ratio | goal         | verdict |
| -------- | ------ | ------- | ----- | ------------ | ------- |
| start    | 400 µs | 10.0 ms | 1/25  | ratio ≤ 1/20 | pass    |
| a µs row | 1500/s | –       | –     | –            | –       |
";
        assert_eq!(table.to_string(), expected);
        assert_eq!(table.failures(), 0);
    }

    #[test]
    fn each_kind_of_goal_has_its_limit_inside() {
        let row = |ours, goal| Row::new("x", Quantity::Bytes(ours)).goal(goal).passes();
        let limit = Quantity::Bytes(5.0);
        assert_eq!(row(5.0, Goal::AtMost(limit)), Some(true));
        assert_eq!(row(5.1, Goal::AtMost(limit)), Some(false));
        assert_eq!(row(5.0, Goal::AtLeast(limit)), Some(true));
        assert_eq!(row(4.9, Goal::AtLeast(limit)), Some(false));
        assert_eq!(start(0.000_5).passes(), Some(true));
        assert_eq!(start(0.000_6).passes(), Some(false));
    }

    #[test]
    fn a_figure_that_is_not_a_number_misses_its_goal() {
        let mut table = Table::default();
        table.extend([
            start(f64::NAN),
            Row::new("x", Quantity::Seconds(1.0)).goal(Goal::Ratio(1.0)),
        ]);
        assert_eq!(table.failures(), 2);
    }
}
