//! Here-documents that are only written somewhere: what stands in them is no command.
//!
//! A document is inert if no part of it is expanded, if `cat` or `tee` gets it at the beginning of a command, and if
//! nothing but a file gets it from there. Whatever is not understood is not inert.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::literal::long_literals;
use crate::text::pattern::compiled;

/// Returns the source without the lines of inert here-documents in its string literals. Linear in the source.
pub(super) fn without_inert_documents(source: &str) -> Cow<'_, str> {
    if !source.contains("<<") {
        return Cow::Borrowed(source);
    }
    let mut kept = String::new();
    let mut copied = 0;
    for literal in long_literals(source) {
        // A literal lies within the source, behind the one before it, and its quotes are characters.
        let (between, text) = (&source[copied..literal.start], &source[literal.clone()]);
        kept.push_str(between);
        keep_lines(text, &mut kept);
        copied = literal.end;
    }
    kept.push_str(&source[copied..]);
    Cow::Owned(kept)
}

/// Copies the lines of a text that are in no inert document.
fn keep_lines(text: &str, kept: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let ends = Ends::of(&lines);
    let mut number = 0;
    let mut continues = false;
    while let Some(line) = lines.get(number) {
        kept.push_str(line);
        let end = opening(line)
            .filter(|_| !continues)
            .and_then(|document| ends.after(number, &document));
        continues = bare(line).ends_with('\\');
        number = end.unwrap_or(number + 1);
    }
}

/// A here-document that a line announces.
struct Opening<'a> {
    delimiter: &'a str,
    strips_tabs: bool,
}

fn opening(line: &str) -> Option<Opening<'_>> {
    static INERT: LazyLock<Regex> = LazyLock::new(|| {
        const FILES: &str = r#"(?:\s*>{1,2}\s*[\w./~$\{\}"'+@%:=-]+|\s+[\w./~$\{\}"'+@%:=-]+)*"#;
        compiled(&format!(
            r#"^(?:[^\n]*[;&|])?\s*(?:cat|tee){FILES}\s*<<(-?)\s*(?:'([\w-]+)'|"([\w-]+)"|\\([\w-]+)){FILES}\s*$"#
        ))
    });
    let found = line
        .contains("<<")
        .then(|| INERT.captures(line))
        .flatten()?;
    let delimiter = (2..=4).find_map(|group| found.get(group))?;
    Some(Opening {
        delimiter: delimiter.as_str(),
        strips_tabs: !found.get(1)?.is_empty(),
    })
}

/// The lines that could end a document, by their text.
struct Ends<'a> {
    exact: HashMap<&'a str, Vec<usize>>,
    behind_tabs: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Ends<'a> {
    fn of(lines: &[&'a str]) -> Self {
        let mut ends = Self {
            exact: HashMap::new(),
            behind_tabs: HashMap::new(),
        };
        for (number, line) in lines.iter().enumerate() {
            let line = bare(line);
            let word = line.trim_start_matches('\t');
            if !word.is_empty() && !word.contains([' ', '<']) {
                ends.exact.entry(line).or_default().push(number);
                ends.behind_tabs.entry(word).or_default().push(number);
            }
        }
        ends
    }

    /// Returns the number of the line that ends a document which begins after line `number`.
    fn after(&self, number: usize, document: &Opening<'_>) -> Option<usize> {
        let ends = if document.strips_tabs {
            &self.behind_tabs
        } else {
            &self.exact
        };
        let places = ends.get(document.delimiter)?;
        places
            .get(places.partition_point(|&place| place <= number))
            .copied()
    }
}

/// Returns a line without its end.
fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_masked(source: &str) -> bool {
        !without_inert_documents(source).contains("BODY")
    }

    #[test]
    fn documents_that_are_only_written_are_left_out() {
        for opening in [
            "cat > notes.md <<'EOF'",
            "cat <<\"EOF\"",
            "cat <<\\EOF > $HOME/x",
            "tee -a 'my' <<'EOF'",
            "cd x && cat >> y <<'EOF'",
            "true; cat <<'EOF' >y",
        ] {
            let source = format!("s = '''set -e\n{opening}\nBODY\nEOF\necho after'''");
            assert!(is_masked(&source), "{opening}");
            assert!(without_inert_documents(&source).ends_with("EOF\necho after'''"));
        }
        assert!(is_masked("s = \"\"\"cat <<'EOF'\nBODY\nEOF\"\"\""));
        assert!(is_masked("s = '''cat <<-'EOF'\n\tBODY\n\tEOF\n'''"));
        assert!(is_masked("s = '''cat <<'EOF'\n\tEOF\nBODY\nEOF\n'''"));
    }

    #[test]
    fn documents_that_something_runs_are_kept() {
        for opening in [
            "bash <<'EOF'",
            "cat <<EOF",
            "cat <<'EOF' | sh",
            "cat <<'EOF' > >(sh)",
            "cat <<'EOF' && true",
            "sh -s cat <<'EOF'",
            "ssh host cat <<'EOF'",
            "cat <<'EOF' <<'OTHER'",
            "echo x # cat <<'EOF'",
            "cat \"$(sh)\" <<'EOF'",
            "bash \\\ncat <<'EOF'",
        ] {
            let source = format!("s = '''\n{opening}\nBODY\nEOF\n'''");
            assert!(!is_masked(&source), "{opening}");
        }
        assert!(!is_masked("s = '''cat <<'EOF'\nBODY\n'''"), "never ends");
    }

    #[test]
    fn code_is_no_document() {
        for source in [
            "cat <<'EOF'\nBODY\nEOF",
            "# cat <<'EOF'\nBODY\nEOF",
            "s = \"cat <<'EOF'\"\nBODY\nEOF",
            "s = '''cat <<'EOF' '''\nBODY\n'''EOF'''",
            "s = f'''cat <<'EOF'\n{BODY}\nEOF'''",
        ] {
            assert!(!is_masked(source), "{source}");
        }
    }
}
