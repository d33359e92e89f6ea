//! How the options of a program are told from its other words, and their values from both.

/// The options of a program that take values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Letters whose value is the rest of the word, or the next word.
    valued: &'static str,
    /// Letters whose value is the rest of the word, and never the next one.
    attached: &'static str,
    /// Long names whose value is the next word unless a `=` joins it.
    names: &'static [&'static str],
}

/// A part of a program's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'w> {
    Flag(char),
    Valued(char, &'w str),
    /// A long option with its value.
    Long(&'w str, Option<&'w str>),
    Operand(&'w str),
}

impl Options {
    pub(super) const fn new(
        valued: &'static str,
        attached: &'static str,
        names: &'static [&'static str],
    ) -> Self {
        Self {
            valued,
            attached,
            names,
        }
    }

    /// Returns how many words at the start are options with their values; `--` is the last of them.
    pub(super) fn span(&self, words: &[String]) -> usize {
        let mut at = 0;
        while let Some(word) = words.get(at) {
            if !word.starts_with('-') {
                break;
            }
            at += 1;
            if word == "--" {
                break;
            }
            if self.takes_next(word) {
                at += 1;
            }
        }
        at.min(words.len())
    }

    /// Returns the words behind the options at the start.
    pub(super) fn rest<'w>(&self, words: &'w [String]) -> &'w [String] {
        words.get(self.span(words)..).unwrap_or_default()
    }

    /// Takes the words apart; options may stand between operands.
    pub(super) fn parts<'w>(&self, words: &'w [String]) -> Vec<Part<'w>> {
        let mut parts = Vec::new();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "--" {
                parts.extend(words.by_ref().map(Part::Operand));
            } else if word.starts_with("--") {
                let (name, value) = match word.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None if self.takes_next(word) => (word, words.next()),
                    None => (word, None),
                };
                parts.push(Part::Long(name, value));
            } else if word.len() > 1
                && let Some(cluster) = word.strip_prefix('-')
            {
                let (flags, value) = self.split(cluster);
                parts.extend(flags.chars().map(Part::Flag));
                if let Some((letter, text)) = value {
                    let is_next = text.is_empty() && self.valued.contains(letter);
                    let text = if is_next { words.next() } else { Some(text) };
                    parts.push(Part::Valued(letter, text.unwrap_or_default()));
                }
            } else {
                parts.push(Part::Operand(word));
            }
        }
        parts
    }

    /// Returns the values of an option, given as a letter or by a long name.
    pub(super) fn values<'w>(
        &self,
        words: &'w [String],
        letter: char,
        names: &[&str],
    ) -> Vec<&'w str> {
        let parts = self.parts(words).into_iter();
        parts
            .filter_map(|part| match part {
                Part::Valued(found, value) if found == letter => Some(value),
                Part::Long(name, Some(value)) if is_long_option(name, names) => Some(value),
                _ => None,
            })
            .collect()
    }

    /// Splits a cluster of letters into those without a value and the one with a value.
    fn split<'w>(&self, cluster: &'w str) -> (&'w str, Option<(char, &'w str)>) {
        let valued = cluster
            .char_indices()
            .find(|(_, letter)| self.valued.contains(*letter) || self.attached.contains(*letter));
        match valued {
            Some((at, letter)) => {
                // The place of a letter that was just found, and the one behind it.
                let (flags, value) = cluster.split_at(at);
                let value = value.strip_prefix(letter).unwrap_or_default();
                (flags, Some((letter, value)))
            }
            None => (cluster, None),
        }
    }

    fn takes_next(&self, word: &str) -> bool {
        match word.strip_prefix('-') {
            Some(cluster) if !cluster.starts_with('-') => {
                matches!(self.split(cluster), (_, Some((letter, ""))) if self.valued.contains(letter))
            }
            _ => !word.contains('=') && is_long_option(word, self.names),
        }
    }
}

/// Tells whether a word is an option with one of these letters or names.
pub(super) fn is_flag(word: &str, letters: &str, names: &[&str]) -> bool {
    if word.starts_with("--") {
        is_long_option(word, names)
    } else {
        word.strip_prefix('-')
            .is_some_and(|cluster| cluster.contains(|letter| letters.contains(letter)))
    }
}

/// Tells whether a word is one of these long options, perhaps abbreviated and with a value.
///
/// An abbreviation that fits other options, too, is an error of the program: to count it does no harm.
pub(super) fn is_long_option(word: &str, names: &[&str]) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > "--".len()
        && name.starts_with("--")
        && names.iter().any(|known| known.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options::new("nu", "i", &["--user"]);

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn options_end_at_the_first_other_word() {
        let rows = [
            ("-x -n 1 rm", 3),
            ("-n1 rm", 1),
            ("-xn 1 rm", 2),
            ("-nx rm", 1),
            ("-i rm", 1),
            ("-ix rm", 1),
            ("--user u rm", 2),
            ("--us u rm", 2),
            ("--user=u rm", 1),
            ("--other rm", 1),
            ("-- -x", 1),
            ("-n", 1),
            ("rm -x", 0),
        ];
        for (text, expected) in rows {
            assert_eq!(OPTIONS.span(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn values_are_found_wherever_they_stand() {
        let rows = [
            ("a -n 1 b", vec!["1"]),
            ("-xn1 --num=2", vec!["1", "2"]),
            ("-u n -n 3", vec!["3"]),
            ("-in 4", vec![]),
            ("-- -n 5", vec![]),
        ];
        for (text, expected) in rows {
            assert_eq!(
                OPTIONS.values(&words(text), 'n', &["--number"]),
                expected,
                "{text}"
            );
        }
    }
}
