//! The Python that a kernel brings, compiled once for each interpreter: to compile it anew would be a good part of every start.
//!
//! The interpreter itself compiles it, so that it is what it reads; the host only keeps the bytes. Modules that cells import have their
//! sources beside them, for the programs of a cell may run in another interpreter.

use std::fs;
use std::io;
use std::path::Path;

/// Name of the file with the program of the child.
pub(super) const RUNNER: &str = "hermes_kernel_runner.pyc";

/// The program of the child: one text of many files, for each file that is read costs every kernel its start.
const RUNNER_SOURCE: (&str, &str) = (
    "hermes_kernel_runner",
    concat!(
        include_str!("python/runner/imports.py"),
        include_str!("../../../../guest/python/exceptions.py"),
        include_str!("../../../../guest/python/output.py"),
        include_str!("python/runner/requests.py"),
        include_str!("python/runner/cells.py"),
        include_str!("python/runner/streams.py"),
        include_str!("python/runner/tracebacks.py"),
        include_str!("python/runner/death.py"),
        include_str!("python/runner/main.py"),
    ),
);

/// The modules by name. The functions of the tools are made by the code that the sandbox has.
const MODULES: [(&str, &str); 3] = [
    ("_hermes", include_str!("python/rpc.py")),
    ("hermes_tools", include_str!("python/hermes_tools.py")),
    (
        "_hermes_functions",
        include_str!("../../../../guest/python/tools.py"),
    ),
];

/// Where an interpreter looks for the compiled file of a source.
const CACHE: &str = "__pycache__";

/// Reads modules (name, line end, source; a NUL between two). Prints how the interpreter calls itself in the names of compiled files, and
/// for each module a line of name and compiled file in hexadecimal digits. The header says that the file is not to be compared with a source.
pub(super) const COMPILER: &str = r#"
from importlib._bootstrap_external import MAGIC_NUMBER
from marshal import dumps
print(sys.implementation.cache_tag or "none")
for module in sys.stdin.buffer.read().decode().split("\0"):
    name, _, source = module.partition("\n")
    code = compile(source, "<hermes " + name + ">", "exec", 0, True)
    print(name, (MAGIC_NUMBER + b"\1" + bytes(11) + dumps(code)).hex())
"#;

/// Compiled files, as one interpreter reads them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Programs {
    runner: Vec<u8>,
    /// Names below the cache, and contents.
    modules: Vec<(String, Vec<u8>)>,
}

impl Programs {
    /// Returns what the compiling program reads.
    pub(super) fn input() -> String {
        let all: Vec<_> = sources()
            .map(|(name, source)| format!("{name}\n{source}"))
            .collect();
        all.join("\0")
    }

    /// Reads what it printed; `None` unless every module is there.
    pub(super) fn parse(printed: &str) -> Option<Self> {
        let mut lines = printed.lines();
        let tag = lines.next()?;
        let is_in_tag = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if tag.is_empty() || !tag.chars().all(is_in_tag) {
            return None;
        }
        let mut compiled = |(name, _)| {
            let digits = lines.next()?.strip_prefix(name)?.strip_prefix(' ')?;
            bytes(digits)
        };
        let runner = compiled(RUNNER_SOURCE)?;
        let modules = MODULES.into_iter().map(|module| {
            let name = format!("{}.{tag}.pyc", module.0);
            Some((name, compiled(module)?))
        });
        let modules = modules.collect::<Option<_>>()?;
        Some(Self { runner, modules })
    }

    /// Writes the program of the child into a directory.
    pub(super) fn write_runner(&self, directory: &Path) -> io::Result<()> {
        fs::write(directory.join(RUNNER), &self.runner)
    }

    /// Writes the modules that cells import into a directory.
    pub(super) fn write_modules(&self, directory: &Path) -> io::Result<()> {
        for (name, source) in MODULES {
            fs::write(directory.join(format!("{name}.py")), source)?;
        }
        let cache = directory.join(CACHE);
        fs::create_dir(&cache)?;
        let mut files = self.modules.iter();
        files.try_for_each(|(name, content)| fs::write(cache.join(name), content))
    }
}

fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    [RUNNER_SOURCE].into_iter().chain(MODULES)
}

/// Reads hexadecimal digits, two for each byte.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    rest.is_empty()
        .then(|| pairs.iter().map(byte).collect::<Option<_>>())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_where_every_module_is_there() {
        let printed = "cpython-311\nhermes_kernel_runner 00ff\n_hermes \nhermes_tools 0a\n_hermes_functions 7F\n";
        let modules = [
            ("_hermes.cpython-311.pyc", vec![]),
            ("hermes_tools.cpython-311.pyc", vec![10]),
            ("_hermes_functions.cpython-311.pyc", vec![127]),
        ];
        let expected = Programs {
            runner: vec![0, 255],
            modules: modules
                .map(|(name, content)| (name.to_owned(), content))
                .into(),
        };
        assert_eq!(Programs::parse(printed), Some(expected));
        for broken in [
            "",
            "hermes_kernel_runner 00\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "../x\nhermes_kernel_runner 00\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "t\nhermes_kernel_runner 00\n_hermes 00\nhermes_tools 00\n",
            "t\nhermes_kernel_runner 0\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "t\nhermes_kernel_runner 0g\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "t\nhermes_kernel_runner\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
        ] {
            assert_eq!(Programs::parse(broken), None, "{broken:?}");
        }
    }
}
