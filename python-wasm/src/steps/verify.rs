//! The proof that the artifact works: cells run in it, through the runtime, as a user's would.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use hermes_runtime::{ByteSize, Request, Runtime, Status};

use crate::command::Log;
use crate::digest::Key;
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "2";

/// The stack that cells have here: a mebibyte less than users' own, for a build decides anew how much of it each function takes.
const STACK_LIMIT: ByteSize = ByteSize::mebibytes(5);

/// What a sandbox must be able to do, and what it must print.
const CELLS: [(&str, &str); 4] = [
    ("print(6 * 7)", "42\n"),
    (
        "import bz2, gzip, lzma, sqlite3, tarfile, zipfile, zlib\nprint(zlib.decompress(zlib.compress(b'same')).decode())",
        "same\n",
    ),
    (
        "import datetime, zoneinfo\nprint(datetime.datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo('Asia/Kolkata')).utcoffset())",
        "5:30:00\n",
    ),
    ("import sys\nprint(len(sys.modules) >= 200)", "True\n"),
];

/// The recursions that take most of the stack until CPython refuses to go on, each of another kind.
const RECURSIONS: [&str; 5] = [
    "import operator\nclass A: name = property(operator.attrgetter('name'))\nask = lambda: A().name",
    "import functools\nclass A:\n    @functools.cached_property\n    def name(self): return self.name\nask = lambda: A().name",
    "import functools\ndef ask(*_): return sorted([1, 2], key=functools.cmp_to_key(ask))",
    "from xml.parsers import expat\ndef ask(*_):\n    parser = expat.ParserCreate()\n    parser.StartElementHandler = ask\n    parser.Parse('<a/>', True)",
    "import ast\nclass A(ast.Name): id = property(lambda self: ask(), lambda self, _: None)\ndef ask(): compile(ast.Expression(A('a', lineno=1, col_offset=0)), '', 'eval')",
];

/// Returns a cell that recurses as deep as it can and says what stopped it.
fn recursing(definition: &str) -> String {
    format!(
        "{definition}\nimport sys\nsys.setrecursionlimit(10**6)\ntry: ask()\nexcept RecursionError as error: print(type(error).__name__)"
    )
}

/// Runs cells in the finished artifact.
#[derive(Debug)]
pub(crate) struct Verify;

impl Step for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn task(&self) -> &'static str {
        "runs cells in the artifact"
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["artifact", "compile"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text("recipe", &format!("{RECIPE} {STACK_LIMIT}"));
        for (code, output) in CELLS {
            key.text(code, output);
        }
        for definition in RECURSIONS {
            key.text("recursion", definition);
        }
        // The runtime that the cells run in.
        let root = context.workspace.root();
        key.directory("runtime", &root.join("runtime/src"))?;
        key.file("lock", &root.join("Cargo.lock"))
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let runtime = Runtime::builder()
            .artifact_dir(context.workspace.artifacts())
            .stack_limit(STACK_LIMIT)
            .build()?;
        let executor = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start an executor")?;
        let cells = CELLS.map(|(code, expected)| (code.to_owned(), expected));
        let recursions = RECURSIONS.map(|definition| (recursing(definition), "RecursionError\n"));
        for (code, expected) in cells.iter().chain(&recursions) {
            let outcome = executor.block_on(runtime.execute(Request::new(code)))?;
            log.write(&format!("{code}\n{}\n", outcome.to_json()))?;
            ensure!(
                outcome.status == Status::Success && outcome.output == *expected,
                "a cell gave the wrong result with {STACK_LIMIT} of stack\n{code}\nexpected {expected:?}, got {}",
                outcome.to_json()
            );
        }
        Ok(Some(format!("{} cells", cells.len() + recursions.len())))
    }

    fn outputs(&self, _: &Context) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    #[test]
    fn the_runtime_and_its_dependencies_are_inputs() {
        let directory = tempfile::tempdir().unwrap();
        let context = Context::scratch(directory.path());
        let source = context.workspace.root().join("runtime/src/lib.rs");
        let lock = context.workspace.root().join("Cargo.lock");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        fs::write(&source, "one").unwrap();
        fs::write(&lock, "one").unwrap();
        let first = context.inputs(&Verify).unwrap();
        fs::write(&source, "two").unwrap();
        let second = context.inputs(&Verify).unwrap();
        assert_ne!(first, second);
        fs::write(&lock, "two").unwrap();
        assert_ne!(second, context.inputs(&Verify).unwrap());
    }
}
