//! Parses a Python text and tells its first fault in Python's words.

use std::thread;

use ruff_python_parser::{LexicalErrorType, Mode, ParseErrorType, ParseOptions, parse_unchecked};

use super::nesting::{self, TooDeep};
use crate::tools::lint::fault::Fault;

/// Stack of the thread that parses, in bytes. What `nesting` lets through needs less than 4 MiB; only what is used is real.
const STACK_BYTES: usize = 32 << 20;

const SYNTAX: &str = "SyntaxError";
const INDENTATION: &str = "IndentationError";

pub(in crate::tools::lint) fn check(text: &str) -> Result<(), Fault> {
    nesting::check(text).map_err(|deep| match deep {
        TooDeep::Brackets => Fault::Syntax(format!("{SYNTAX}: too many nested parentheses")),
        TooDeep::Indents => Fault::Syntax(format!("{INDENTATION}: too many levels of indentation")),
        TooDeep::Operators => Fault::Uncheckable("The Python code is too deeply nested to check"),
    })?;
    let first = thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("python-syntax".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || first_fault(text));
        // A parser that fails on a text says nothing about it.
        thread.ok()?.join().ok()
    });
    match first {
        Some(None) => Ok(()),
        Some(Some(fault)) => Err(fault),
        None => Err(Fault::Uncheckable("The Python parser failed")),
    }
}

fn first_fault(text: &str) -> Option<Fault> {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let error = parsed
        .errors()
        .iter()
        .min_by_key(|error| error.location.start())?;
    let (kind, message) = in_pythons_words(&error.error);
    Some(Fault::at(
        text,
        error.location.start().into(),
        kind,
        &message,
    ))
}

/// Returns the exception that Python would raise, and its message where the parser's own is not as good.
fn in_pythons_words(error: &ParseErrorType) -> (&'static str, String) {
    match error {
        ParseErrorType::UnexpectedIndentation => (INDENTATION, "unexpected indent".to_owned()),
        ParseErrorType::Lexical(LexicalErrorType::IndentationError) => {
            (INDENTATION, error.to_string())
        }
        ParseErrorType::Lexical(LexicalErrorType::UnclosedStringError) => {
            (SYNTAX, "unterminated string literal".to_owned())
        }
        ParseErrorType::OtherError(message) => {
            match message.strip_prefix("Expected an indented block after ") {
                Some(after) => (
                    INDENTATION,
                    format!(
                        "expected an indented block after {}",
                        after.replace('`', "'")
                    ),
                ),
                None => (SYNTAX, message.clone()),
            }
        }
        other => (SYNTAX, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_python_3_13_is_accepted() {
        let text = r#"
type Pair[T = int] = tuple[T, T]
class A[T: (int, str), *Ts, **P]: ...
async def f(a, /, b: int = 1, *, c):
    async with a as b, c: pass
    return [await x async for x in y if (z := x)]
match p:
    case {"a": [1, *rest], **kw} | A(b=2) if kw: pass
    case _: pass
try: pass
except* (ValueError, TypeError) as e: raise
print(f"{x!r:>{w}} {f'{"nested"}'}")
with (open("a") as a, open("b") as b): pass
"#;
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(""), Ok(()));
    }

    #[test]
    fn the_first_fault_is_told_with_its_place() {
        let rows = [
            (
                "x = (",
                "SyntaxError: unexpected EOF while parsing (line 1, column 6)",
            ),
            (
                "a = 1\nb = = 2\nc = = 3\n",
                "SyntaxError: Expected an expression (line 2, column 5)",
            ),
            (
                "if x:\ny = 1\n",
                "IndentationError: expected an indented block after 'if' statement (line 2, column 1)",
            ),
            (
                "x = 1\n  y = 2\n",
                "IndentationError: unexpected indent (line 2, column 1)",
            ),
            (
                "if x:\n    y\n  z\n",
                "IndentationError: unindent does not match any outer indentation level (line 3, column 1)",
            ),
            (
                "ü = 'abc\n",
                "SyntaxError: unterminated string literal (line 1, column 5)",
            ),
            (
                "x = 1\0",
                "SyntaxError: Got unexpected token \0 (line 1, column 6)",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(
                check(text),
                Err(Fault::Syntax(expected.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn depth_that_python_refuses_is_refused_in_its_words() {
        let brackets = check(&"(".repeat(1_000_000));
        let expected = "SyntaxError: too many nested parentheses";
        assert_eq!(brackets, Err(Fault::Syntax(expected.to_owned())));
        let mut blocks = String::new();
        for depth in 0..100 {
            blocks.push_str(&" ".repeat(depth));
            blocks.push_str("if x:\n");
        }
        blocks.push_str(&" ".repeat(100));
        blocks.push_str("pass\n");
        let expected = "IndentationError: too many levels of indentation";
        assert_eq!(check(&blocks), Err(Fault::Syntax(expected.to_owned())));
    }

    #[test]
    fn the_deepest_text_that_is_parsed_does_not_fill_the_stack() {
        let many = |part: &str| part.repeat(4_900);
        let texts = [
            format!("{}1", many("-")),
            format!("{}1", many("not ")),
            format!("{}1", many("x ** ")),
            format!("{}1", many("x + ")),
            format!("{}1", many("x and ")),
            format!("{}1", "x and y or ".repeat(2_400)),
            format!("{}1", "lambda: ".repeat(2_400)),
            format!("{}1", "x if x else ".repeat(2_400)),
            format!("x{}", many(".a")),
            format!("x{}", many("()")),
            format!("x{}", many("[0]")),
            format!("x{}", many(" < x")),
            format!("{}1{}", "(".repeat(200), ")".repeat(200)),
            format!("{}1{}", "f(-[{'a':".repeat(66), "}])".repeat(66)),
        ];
        for text in texts {
            assert_eq!(check(&text), Ok(()), "{text:.40}");
        }
        let deeper = Err(Fault::Uncheckable(
            "The Python code is too deeply nested to check",
        ));
        assert_eq!(check(&format!("{}1", "-".repeat(1_000_000))), deeper);
        assert_eq!(check(&format!("1{}", "+1".repeat(1_000_000))), deeper);
    }
}
