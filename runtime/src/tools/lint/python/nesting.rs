//! How deep the parts of a Python text lie in each other, judged by its tokens before it is parsed.
//!
//! A parser calls itself once for each level, and so does the code that frees what it built; both need a bound. The
//! judgement never counts fewer levels than there are: each operator of an expression counts as one.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// Brackets in each other that Python itself accepts.
const MAX_BRACKETS: usize = 200;
/// Indented blocks in each other that Python itself accepts.
const MAX_INDENTS: usize = 100;
/// Operators in each other that are parsed; Python gives up somewhere near.
const MAX_OPERATORS: usize = 5_000;

/// Says why a text is not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooDeep {
    Brackets,
    Indents,
    Operators,
}

/// Looks at every token of a text.
pub(super) fn check(text: &str) -> Result<(), TooDeep> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut levels = Levels::default();
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return Ok(()),
            token => levels.take(token)?,
        }
    }
}

/// The levels of the statement that is being looked at.
#[derive(Default)]
struct Levels {
    indents: usize,
    /// The operators around each open bracket, the outermost first.
    brackets: Vec<usize>,
    /// The operators since the last bracket was opened or a comma was seen.
    here: usize,
    /// All operators above and those of functions, which no comma ends; what is taken from `here` is taken from these.
    operators: usize,
}

impl Levels {
    fn take(&mut self, token: TokenKind) -> Result<(), TooDeep> {
        match token {
            TokenKind::Indent => {
                self.indents += 1;
                if self.indents >= MAX_INDENTS {
                    return Err(TooDeep::Indents);
                }
            }
            TokenKind::Dedent => self.indents = self.indents.saturating_sub(1),
            TokenKind::Newline => {
                self.brackets.clear();
                self.here = 0;
                self.operators = 0;
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                // Calls and subscripts lie in each other as operators do.
                self.add()?;
                self.brackets.push(self.here);
                self.here = 0;
                if self.brackets.len() > MAX_BRACKETS {
                    return Err(TooDeep::Brackets);
                }
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                self.operators -= self.here;
                self.here = self.brackets.pop().unwrap_or_default();
            }
            // What a comma separates lies beside each other.
            TokenKind::Comma if !self.brackets.is_empty() => {
                self.operators -= self.here;
                self.here = 0;
            }
            // The comma of `lambda a, b:` separates nothing; what follows lies in the function.
            TokenKind::Lambda => {
                self.operators += 1;
                self.within()?;
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringStart
            | TokenKind::FStringMiddle
            | TokenKind::FStringEnd
            | TokenKind::TStringStart
            | TokenKind::TStringMiddle
            | TokenKind::TStringEnd
            | TokenKind::Comment
            | TokenKind::Comma
            | TokenKind::NonLogicalNewline => {}
            _ => self.add()?,
        }
        Ok(())
    }

    fn add(&mut self) -> Result<(), TooDeep> {
        self.here += 1;
        self.operators += 1;
        self.within()
    }

    fn within(&self) -> Result<(), TooDeep> {
        if self.operators > MAX_OPERATORS {
            return Err(TooDeep::Operators);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_each_other_is_not_deep() {
        let texts = [
            "x = -1\n".repeat(10_000),
            format!("x = [{}]\n", "(-1, 2 ** 3), {'a': f(1)},\n".repeat(10_000)),
            format!("x = ({})\n", "'a'\n".repeat(10_000)),
            "if a:\n    f(b)\nelif c:\n    pass\n".repeat(10_000),
            format!("x = {}1\n", "1 + ".repeat(4_000)),
            format!("{}1{}", "(".repeat(200), ")".repeat(200)),
            ")".repeat(10_000),
        ];
        for text in texts {
            assert_eq!(check(&text), Ok(()), "{text:.40}");
        }
    }

    #[test]
    fn every_way_to_nest_has_an_end() {
        let many = |part: &str| part.repeat(6_000);
        let rows = [
            (many("("), TooDeep::Brackets),
            (many("f({["), TooDeep::Brackets),
            (many("f'{"), TooDeep::Brackets),
            (many("-"), TooDeep::Operators),
            (many("not "), TooDeep::Operators),
            (many("x ** "), TooDeep::Operators),
            (many("x + "), TooDeep::Operators),
            (many("lambda: "), TooDeep::Operators),
            (format!("[{}", many("lambda a, b: ")), TooDeep::Operators),
            (many("x if x else "), TooDeep::Operators),
            (many("await "), TooDeep::Operators),
            (format!("x{}", many(".a")), TooDeep::Operators),
            (format!("x{}", many("()")), TooDeep::Operators),
            (format!("x{}", many("[0]")), TooDeep::Operators),
        ];
        for (text, expected) in rows {
            assert_eq!(check(&text), Err(expected), "{text:.40}");
        }
        let mut blocks = String::new();
        for depth in 0..200 {
            blocks.push_str(&" ".repeat(depth));
            blocks.push_str("if x:\n");
        }
        assert_eq!(check(&blocks), Err(TooDeep::Indents));
    }
}
