//! How alike two sequences are, by Ratcliff and Obershelp: the longest common run, then the same on both sides of it.
//!
//! The results are those of Python's `difflib.SequenceMatcher(None, a, b)`, ties and its rule for long sequences included:
//! of 200 elements or more, those that make up more than one in a hundred do not begin a run.

use std::cmp::Ordering;
use std::ops::Range;

use crate::tools::patch::effort::{Effort, Stopped};

/// Length from which on frequent elements do not begin a run.
const LONG: usize = 200;

/// What it takes to sort an element of the second sequence in.
const STEPS_PER_ELEMENT: usize = 16;
/// What it takes to look an element up.
const STEPS_PER_LOOKUP: usize = 16;

/// A run that two sequences have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tools::patch) struct Block {
    /// Where it begins in the first sequence.
    pub(in crate::tools::patch) first: usize,
    /// Where it begins in the second sequence.
    pub(in crate::tools::patch) second: usize,
    pub(in crate::tools::patch) len: usize,
}

/// Holds the second sequence and where its elements are.
#[derive(Debug)]
pub(in crate::tools::patch) struct Matcher {
    second: Vec<u32>,
    /// The places of all elements, those of each element together and in order.
    places: Vec<usize>,
    /// The elements in order, and which of the places are theirs; without the frequent ones of a long sequence.
    index: Vec<(u32, Range<usize>)>,
}

impl Matcher {
    pub(in crate::tools::patch) fn new(second: Vec<u32>) -> Self {
        let mut sorted: Vec<(u32, usize)> = second.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let most = if second.len() >= LONG {
            second.len() / 100 + 1
        } else {
            second.len()
        };
        let mut index = Vec::new();
        let mut start = 0;
        for same in sorted.chunk_by(|left, right| left.0 == right.0) {
            let end = start + same.len();
            if let Some((element, _)) = same.first().filter(|_| same.len() <= most) {
                index.push((*element, start..end));
            }
            start = end;
        }
        Self {
            second,
            places: sorted.into_iter().map(|(_, place)| place).collect(),
            index,
        }
    }

    /// Returns where an element is in a range of the second sequence.
    fn places(&self, element: u32, from: usize, to: usize) -> &[usize] {
        let Ok(found) = self
            .index
            .binary_search_by_key(&element, |(element, _)| *element)
        else {
            return &[];
        };
        // The index holds ranges of the places.
        let places = &self.places[self.index[found].1.clone()];
        let start = places.partition_point(|place| *place < from);
        let end = places.partition_point(|place| *place < to);
        &places[start..end]
    }

    /// Returns the runs that a sequence has in common with the second one, in order; neighbouring runs are joined.
    pub(in crate::tools::patch) fn blocks(
        &self,
        first: &[u32],
        effort: &Effort<'_>,
    ) -> Result<Vec<Block>, Stopped> {
        let mut rows = Rows {
            current: vec![0; self.second.len() + 1],
            previous: vec![0; self.second.len() + 1],
        };
        effort.spend(first.len() + STEPS_PER_ELEMENT * self.second.len())?;
        let mut blocks = Vec::new();
        let mut open = vec![(0, first.len(), 0, self.second.len())];
        while let Some((first_from, first_to, second_from, second_to)) = open.pop() {
            let area = (first_from, first_to, second_from, second_to);
            let block = self.longest(first, area, &mut rows, effort)?;
            if block.len == 0 {
                continue;
            }
            let (first_end, second_end) = (block.first + block.len, block.second + block.len);
            if first_from < block.first && second_from < block.second {
                open.push((first_from, block.first, second_from, block.second));
            }
            if first_end < first_to && second_end < second_to {
                open.push((first_end, first_to, second_end, second_to));
            }
            blocks.push(block);
        }
        blocks.sort_unstable();
        blocks.dedup_by(|next, block| {
            let is_neighbour =
                block.first + block.len == next.first && block.second + block.len == next.second;
            if is_neighbour {
                block.len += next.len;
            }
            is_neighbour
        });
        Ok(blocks)
    }

    /// Finds the longest common run inside of an area; of equal ones the first in both sequences.
    fn longest(
        &self,
        first: &[u32],
        (first_from, first_to, second_from, second_to): (usize, usize, usize, usize),
        rows: &mut Rows,
        effort: &Effort<'_>,
    ) -> Result<Block, Stopped> {
        let mut best = Block {
            first: first_from,
            second: second_from,
            len: 0,
        };
        let mut touched: &[usize] = &[];
        // Every place lies inside of `second`, and a row has one more slot.
        for (at, element) in first.iter().enumerate().take(first_to).skip(first_from) {
            let places = self.places(*element, second_from, second_to);
            effort.spend(STEPS_PER_LOOKUP + places.len())?;
            for &place in places {
                let len = rows.previous[place] + 1;
                rows.current[place + 1] = len;
                if len > best.len {
                    best = Block {
                        first: at + 1 - len,
                        second: place + 1 - len,
                        len,
                    };
                }
            }
            for place in touched {
                rows.previous[place + 1] = 0;
            }
            std::mem::swap(&mut rows.previous, &mut rows.current);
            touched = places;
        }
        for place in touched {
            rows.previous[place + 1] = 0;
        }
        // Frequent elements do not begin a run, but they continue one.
        while best.first > first_from
            && best.second > second_from
            && first[best.first - 1] == self.second[best.second - 1]
        {
            best.first -= 1;
            best.second -= 1;
            best.len += 1;
        }
        while best.first + best.len < first_to
            && best.second + best.len < second_to
            && first[best.first + best.len] == self.second[best.second + best.len]
        {
            best.len += 1;
        }
        effort.spend(best.len)?;
        Ok(best)
    }
}

/// Lengths of the common runs that end before each place of the second sequence, for two elements of the first one.
struct Rows {
    current: Vec<usize>,
    previous: Vec<usize>,
}

/// Returns the ratio of two texts, compared by characters.
pub(in crate::tools::patch) fn ratio(
    first: &str,
    second: &str,
    effort: &Effort<'_>,
) -> Result<Ratio, Stopped> {
    if first == second {
        effort.spend(first.len() / 8 + 1)?;
        let (doubled, total) = (1, 1);
        return Ok(Ratio { doubled, total });
    }
    let first: Vec<u32> = first.chars().map(u32::from).collect();
    let matcher = Matcher::new(second.chars().map(u32::from).collect());
    let blocks = matcher.blocks(&first, effort)?;
    Ok(Ratio {
        doubled: 2 * blocks.iter().map(|block| block.len).sum::<usize>(),
        total: first.len() + matcher.second.len(),
    })
}

/// A likeness from 0 to 1: twice the characters in common, of all characters. Two empty texts are alike.
#[derive(Debug, Clone, Copy)]
pub(in crate::tools::patch) struct Ratio {
    doubled: usize,
    total: usize,
}

impl Ratio {
    pub(in crate::tools::patch) fn is_at_least(self, percent: usize) -> bool {
        self.doubled * 100 >= self.total * percent
    }

    pub(in crate::tools::patch) fn is_above(self, percent: usize) -> bool {
        self.total == 0 || self.doubled * 100 > self.total * percent
    }

    pub(in crate::tools::patch) fn compare(self, other: Self) -> Ordering {
        let fraction = |ratio: Self| match ratio.total {
            0 => (1, 1),
            total => (ratio.doubled as u128, total as u128),
        };
        let ((left, left_of), (right, right_of)) = (fraction(self), fraction(other));
        (left * right_of).cmp(&(right * left_of))
    }
}

/// Counts a text's characters by kind: what two texts have in common of them is never less than what their runs have.
#[derive(Debug)]
pub(in crate::tools::patch) struct Letters {
    counts: [u32; 64],
    total: usize,
}

impl Letters {
    pub(in crate::tools::patch) fn of(text: &str) -> Self {
        let mut letters = Self {
            counts: [0; 64],
            total: 0,
        };
        for letter in text.chars() {
            // The remainder is below the number of counts.
            let count = &mut letters.counts[letter as usize % 64];
            *count = count.saturating_add(1);
            letters.total += 1;
        }
        letters
    }

    /// Returns a ratio that the two texts cannot exceed.
    pub(in crate::tools::patch) fn bound(&self, other: &Self) -> Ratio {
        let both = self.counts.iter().zip(&other.counts);
        let common: usize = both.map(|(one, two)| *one.min(two) as usize).sum();
        Ratio {
            doubled: 2 * common,
            total: self.total + other.total,
        }
    }
}

#[cfg(test)]
mod tests;
