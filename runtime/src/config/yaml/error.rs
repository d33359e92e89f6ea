//! Why a text gives no tree. The words never show what stands in the text.

use saphyr_parser::ScanError;
use thiserror::Error;

/// A text that is no YAML, or more of it than is read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(in super::super) enum YamlError {
    #[error("line {line}: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("more than one document")]
    SeveralDocuments,
    #[error("nested more than {0} levels deep")]
    TooDeep(usize),
    #[error("more than {0} values, those of aliases counted where they are used")]
    TooMany(usize),
    #[error("an alias inside of what it stands for")]
    Recursive,
}

impl From<ScanError> for YamlError {
    fn from(error: ScanError) -> Self {
        Self::Syntax {
            line: error.marker().line(),
            problem: error.info().to_owned(),
        }
    }
}
