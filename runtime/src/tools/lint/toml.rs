//! The check of TOML. The parser bounds its own depth, at 80 levels; whether a deeper text is well-formed stays open.

use toml::de::DeTable;

use super::fault::Fault;

/// What the parser says at its bound.
const TOO_DEEP: [&str; 2] = [
    "cannot recurse further; max recursion depth met",
    "recursion limit",
];

pub(super) fn check(text: &str) -> Result<(), Fault> {
    let Err(error) = DeTable::parse(text) else {
        return Ok(());
    };
    if TOO_DEEP.contains(&error.message()) {
        return Err(Fault::Uncheckable(
            "The TOML text is too deeply nested to check",
        ));
    }
    // Without a position something is missing at the end.
    let start = error.span().map_or(text.len(), |span| span.start);
    Err(Fault::at(
        text,
        start,
        "TOMLDecodeError",
        &error.message().replace('\n', ", "),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_toml_is_accepted() {
        let text = "[a.\"b c\"]\nx = 1979-05-27T07:32:00Z\n[[t]]\ny = {z = [1, 2.5, nan],}\ns = \"\"\"\na\"\"\"\n";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(""), Ok(()));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let rows = [
            ("a = 1\na = 2\n", "duplicate key (line 2, column 1)"),
            (
                "a = 1\n[b\n",
                "unclosed table, expected `]` (line 2, column 3)",
            ),
            (
                "a = \"ü\nb = 1",
                "invalid basic string, expected `\"` (line 1, column 7)",
            ),
        ];
        for (text, expected) in rows {
            let expected = Err(Fault::Syntax(format!("TOMLDecodeError: {expected}")));
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_beyond_the_bound_is_not_judged() {
        let many = |part: &str| part.repeat(100_000);
        let deep = Err(Fault::Uncheckable(
            "The TOML text is too deeply nested to check",
        ));
        for text in [
            format!("a = {}{}", many("["), many("]")),
            format!("a = {}1{}", many("{b = "), many("}")),
            format!("{}a = 1", many("a.")),
            format!("[{}a]", many("a.")),
        ] {
            assert_eq!(check(&text), deep, "{text:.20}");
        }
    }
}
