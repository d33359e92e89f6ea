//! The Python that a kernel brings, compiled once for each interpreter: to compile it anew would be a good part of every start.
//!
//! The interpreter itself compiles it, so that it is what it reads; the host only keeps the bytes.

use std::fs;
use std::io;
use std::path::Path;

/// Name of the file with the program of the child.
pub(super) const RUNNER: &str = "hermes_kernel_runner.pyc";

/// The modules by name. The functions of the tools are made by the code that the sandbox has.
const SOURCES: [(&str, &str); 4] = [
    ("hermes_kernel_runner", include_str!("python/runner.py")),
    ("_hermes", include_str!("python/rpc.py")),
    ("hermes_tools", include_str!("python/hermes_tools.py")),
    (
        "_hermes_functions",
        include_str!("../../../../guest/python/tools.py"),
    ),
];

/// Reads modules (name, line end, source; a NUL between two) and prints a line of name and compiled file in hexadecimal digits for each.
/// The header says that the file is not to be compared with a source.
pub(super) const COMPILER: &str = r#"
from importlib._bootstrap_external import MAGIC_NUMBER
from marshal import dumps
for module in sys.stdin.buffer.read().decode().split("\0"):
    name, _, source = module.partition("\n")
    code = compile(source, "<hermes " + name + ">", "exec", 0, True)
    print(name, (MAGIC_NUMBER + b"\1" + bytes(11) + dumps(code)).hex())
"#;

/// Compiled files, as one interpreter reads them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Programs(Vec<(String, Vec<u8>)>);

impl Programs {
    /// Returns what the compiling program reads.
    pub(super) fn input() -> String {
        SOURCES
            .map(|(name, source)| format!("{name}\n{source}"))
            .join("\0")
    }

    /// Reads what it printed; `None` unless every module is there.
    pub(super) fn parse(printed: &str) -> Option<Self> {
        let mut lines = printed.lines();
        let files = SOURCES.iter().map(|(name, _)| {
            let digits = lines.next()?.strip_prefix(name)?.strip_prefix(' ')?;
            Some((format!("{name}.pyc"), bytes(digits)?))
        });
        files.collect::<Option<_>>().map(Self)
    }

    /// Writes the program of the child into a directory.
    pub(super) fn write_runner(&self, directory: &Path) -> io::Result<()> {
        self.write(directory, |name| name == RUNNER)
    }

    /// Writes the modules that cells import into a directory.
    pub(super) fn write_modules(&self, directory: &Path) -> io::Result<()> {
        self.write(directory, |name| name != RUNNER)
    }

    fn write(&self, directory: &Path, is_wanted: impl Fn(&str) -> bool) -> io::Result<()> {
        let mut files = self.0.iter().filter(|(name, _)| is_wanted(name));
        files.try_for_each(|(name, content)| fs::write(directory.join(name), content))
    }
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
        let printed =
            "hermes_kernel_runner 00ff\n_hermes \nhermes_tools 0a\n_hermes_functions 7F\n";
        let expected = [
            ("hermes_kernel_runner.pyc", vec![0, 255]),
            ("_hermes.pyc", vec![]),
            ("hermes_tools.pyc", vec![10]),
            ("_hermes_functions.pyc", vec![127]),
        ];
        let expected = expected.map(|(name, content)| (name.to_owned(), content));
        assert_eq!(Programs::parse(printed), Some(Programs(expected.into())));
        for broken in [
            "",
            "hermes_kernel_runner 00\n_hermes 00\nhermes_tools 00\n",
            "hermes_kernel_runner 0\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "hermes_kernel_runner 0g\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
            "hermes_kernel_runner\n_hermes 00\nhermes_tools 00\n_hermes_functions 00\n",
        ] {
            assert_eq!(Programs::parse(broken), None, "{broken:?}");
        }
    }
}
