//! The check of YAML: the parser's events are looked at and thrown away, so that an alias is never expanded and nothing is built.
//!
//! A stream of several documents is valid, and so is any tag: what a tag means is the reader's affair.

use saphyr_parser::Parser;

use super::fault::Fault;

/// What the parser says at its bound of 255 brackets in each other.
const TOO_DEEP: &str = "recursion limit exceeded";

/// What the parser says to texts that YAML's grammar forbids and that Python's YAML reads all the same: a closing bracket that
/// stands no deeper than its key, and a directive after a document without an end.
const FORGIVEN: [&str; 2] = [
    "invalid indentation",
    "missing explicit document end marker before directive",
];

pub(super) fn check(text: &str) -> Result<(), Fault> {
    for event in Parser::new_from_str(text) {
        if let Err(error) = event {
            if error.info() == TOO_DEEP {
                return Err(Fault::Uncheckable(
                    "The YAML text is too deeply nested to check",
                ));
            }
            if FORGIVEN.contains(&error.info()) {
                return Err(Fault::Uncheckable(
                    "The YAML text is laid out in a way that is not checked",
                ));
            }
            let marker = error.marker();
            return Err(Fault::in_line(
                marker.line(),
                marker.col() + 1,
                "YAMLError",
                error.info(),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn several_documents_tags_and_aliases_are_valid() {
        let text = "%YAML 1.2\n---\na: &x [1, {b: c}]\nd: *x\n---\n!Ref name\n...\n---\n? [k]\n: |\n  text\n";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(""), Ok(()));
    }

    #[test]
    fn aliases_that_grow_without_bound_cost_nothing() {
        let mut text = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..64 {
            let last = level - 1;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "a{level}: &a{level} [*a{last}, *a{last}]");
        }
        assert_eq!(check(&text), Ok(()));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let rows = [
            (
                "a: b\n c: d\n",
                "mapping values are not allowed in this context (line 2, column 3)",
            ),
            (
                "ü: *none\n",
                "while parsing node, found unknown anchor (line 1, column 4)",
            ),
            (
                "a: \"b",
                "while scanning a quoted scalar, found unexpected end of stream (line 1, column 4)",
            ),
        ];
        for (text, expected) in rows {
            let expected = Err(Fault::Syntax(format!("YAMLError: {expected}")));
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn layouts_that_python_reads_are_not_refused() {
        let loose = Err(Fault::Uncheckable(
            "The YAML text is laid out in a way that is not checked",
        ));
        assert_eq!(check("a:\n    b: [\n      c\n  ]\n"), loose);
        assert_eq!(check("a:\n  b: [\n    c\n  ]\n"), Ok(()));
        assert_eq!(check("a: b\n%YAML 1.1\n---\nb\n"), loose);
    }

    #[test]
    fn depth_beyond_the_bound_is_not_judged() {
        let deep = Err(Fault::Uncheckable(
            "The YAML text is too deeply nested to check",
        ));
        assert_eq!(check(&"[".repeat(100_000)), deep);
        assert_eq!(check(&"- ".repeat(100_000)), Ok(()));
    }
}
