//! The texts that a program runs as commands: in a shell, in a container, on another machine, once or many times.

use super::dangerous::subcommand;
use super::option::Options;
use super::program::Program;
use super::slot::DECLARERS;
use super::wrapper::{self, Wrapper};

const SSH: Options = Options::new("BbcDEeFIiJLlmOopQRSWw", "", &[]);
const REPEATERS: Options = Options::new(
    "njINLPSadsTl",
    "e",
    &[
        "--arg-file",
        "--colsep",
        "--delay",
        "--interval",
        "--jobs",
        "--joblog",
        "--max-args",
        "--max-procs",
        "--results",
        "--retries",
        "--sshlogin",
        "--timeout",
        "--workdir",
    ],
);
const RUNUSER: Options = Options::new(
    "ugGswc",
    "",
    &[
        "--command",
        "--group",
        "--session-command",
        "--shell",
        "--supp-group",
        "--user",
        "--whitelist-environment",
    ],
);
const SCRIPT: Options = Options::new("cEIOoBTmt", "", &["--command"]);
const TMUX: Options = Options::new("fLSTcnstxyFeb", "", &[]);
const SCREEN: Options = Options::new("ceShpstT", "", &[]);
const RUNNERS: Options = Options::new(
    "pnCcw",
    "",
    &[
        "--call",
        "--directory",
        "--env-file",
        "--extra",
        "--group",
        "--name",
        "--package",
        "--project",
        "--python",
        "--with",
        "--workspace",
    ],
);
/// Programs one of whose subcommands runs the words behind it.
const RUNNING: [(&str, &str); 18] = [
    ("bundle", "exec"),
    ("conda", "run"),
    ("hatch", "run"),
    ("mamba", "run"),
    ("micromamba", "run"),
    ("npm", "exec"),
    ("npm", "x"),
    ("pdm", "run"),
    ("pipenv", "run"),
    ("pixi", "run"),
    ("pnpm", "dlx"),
    ("pnpm", "exec"),
    ("poetry", "run"),
    ("pyenv", "exec"),
    ("rbenv", "exec"),
    ("rye", "run"),
    ("uv", "run"),
    ("yarn", "exec"),
];

impl Program {
    /// Returns the texts that the program runs as commands.
    pub(super) fn payloads(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.wrappers.iter().flat_map(Wrapper::payloads).collect();
        texts.extend(wrapper::payloads(&self.name, &self.arguments));
        texts.extend(self.prompts());
        if !self.fed.is_empty() && (self.reads_program() || self.has_substituted_code()) {
            texts.extend(self.fed.iter().cloned());
        }
        let words = self.arguments.as_slice();
        match self.name.as_str() {
            "eval" => {
                let words = words.strip_prefix(&["--".to_owned()]).unwrap_or(words);
                texts.push(words.join(" "));
            }
            "watch" => texts.extend(joined(REPEATERS.rest(words))),
            "parallel" => {
                let command = REPEATERS.rest(words).iter();
                let command: Vec<String> = command
                    .take_while(|word| !word.starts_with(":::"))
                    .cloned()
                    .collect();
                texts.extend(joined(&command));
            }
            "mapfile" | "readarray" => {
                texts.extend(values(&Options::new("CcdnOsu", "", &[]), words, 'C', &[]));
            }
            "ssh" => {
                if let Some((_, behind)) = SSH.rest(words).split_first() {
                    // Without a command the shell at the other end runs what it reads.
                    let command = joined(SSH.rest(behind));
                    texts.push(command.unwrap_or_else(|| self.input.clone()));
                }
            }
            "trap" => texts.push(self.operand(0).to_owned()),
            "alias" => texts.extend(
                self.operands()
                    .filter_map(|word| Some(word.split_once('=')?.1.to_owned())),
            ),
            "find" | "fd" => texts.extend(self.executed()),
            "cmd" => texts.extend(self.rest_behind(&["/c", "/k"])),
            "powershell" | "pwsh" => texts.extend(self.rest_behind(&["-command", "-c"])),
            "runuser" if self.has_flag("u", &["--user"]) => {
                texts.extend(quoted(RUNUSER.rest(words)));
            }
            "su" | "runuser" => texts.extend(values(
                &RUNUSER,
                words,
                'c',
                &["--command", "--session-command"],
            )),
            "script" | "flock" => texts.extend(values(&SCRIPT, words, 'c', &["--command"])),
            // `flock FILE -c TEXT`: the option stands where a program could.
            "-c" => texts.extend(words.first().cloned()),
            "capsh" => texts.extend(
                words
                    .iter()
                    .skip_while(|word| *word != "-c")
                    .nth(1)
                    .cloned(),
            ),
            "sg" => texts.extend(
                self.operands()
                    .nth(1)
                    .or_else(|| words.last().map(String::as_str))
                    .map(str::to_owned),
            ),
            "tmux" => texts.extend(
                TMUX.rest(words)
                    .split_first()
                    .and_then(|(_, behind)| joined(TMUX.rest(behind))),
            ),
            "screen" => texts.extend(quoted(SCREEN.rest(words))),
            "git" => texts.extend(self.git_payloads()),
            _ if self.is_shell() => texts.extend(self.shell_payloads()),
            "." | "source" => texts.extend(self.shell_payloads()),
            _ => {
                texts.extend(self.runner_payloads());
                texts.extend(self.container_payload());
            }
        }
        texts
    }

    /// Returns what the shell runs before every prompt, because the program sets it.
    fn prompts(&self) -> impl Iterator<Item = String> {
        let declares = DECLARERS.contains(&self.name.as_str());
        let words = self.arguments.iter().filter(move |_| declares);
        self.assignments
            .iter()
            .chain(words)
            .filter_map(|word| Some(word.strip_prefix("PROMPT_COMMAND=")?.to_owned()))
    }

    fn shell_payloads(&self) -> Vec<String> {
        let Some(call) = self.shell_call() else {
            return Vec::new();
        };
        let mut texts: Vec<String> = call.code.into_iter().map(str::to_owned).collect();
        if call.reads_input && !self.input.is_empty() {
            texts.push(self.input.clone());
        }
        texts
    }

    fn git_payloads(&self) -> Vec<String> {
        let aliases = self.arguments.iter().filter_map(|word| {
            let (name, text) = word.split_once('=')?;
            let is_alias = name.starts_with("alias.");
            is_alias.then(|| text.strip_prefix('!').map(str::to_owned))?
        });
        let mut texts: Vec<String> = aliases.collect();
        match subcommand(self) {
            Some(("bisect", [run, words @ ..])) if run == "run" => texts.extend(quoted(words)),
            Some(("submodule", [each, words @ ..])) if each == "foreach" => {
                texts.extend(joined(Options::new("", "", &[]).rest(words)));
            }
            Some(("rebase", words)) => {
                let options = Options::new("xsX", "", &["--exec", "--onto", "--strategy"]);
                texts.extend(values(&options, words, 'x', &["--exec"]));
            }
            _ => {}
        }
        texts
    }

    /// Returns what a program such as `uv run` runs.
    fn runner_payloads(&self) -> Vec<String> {
        let Some((action, words)) = RUNNERS.rest(&self.arguments).split_first() else {
            return Vec::new();
        };
        let is_such = RUNNING
            .iter()
            .any(|(name, verb)| *name == self.name && verb == action);
        if !is_such {
            return Vec::new();
        }
        let mut texts = values(&RUNNERS, words, 'c', &["--call"]);
        texts.extend(quoted(RUNNERS.rest(words)));
        texts
    }

    /// Returns the words behind one of these, whatever its case.
    fn rest_behind(&self, markers: &[&str]) -> Option<String> {
        let is_marker = |word: &String| {
            markers
                .iter()
                .any(|marker| word.eq_ignore_ascii_case(marker))
        };
        let at = self.arguments.iter().position(is_marker)?;
        Some(self.arguments.get(at + 1..)?.join(" "))
    }

    /// Returns the commands that `find` runs for each file.
    fn executed(&self) -> Vec<String> {
        const STARTS: [&str; 6] = ["-exec", "-execdir", "-ok", "-okdir", "-x", "--exec"];
        let mut commands = Vec::new();
        let mut words = self.arguments.iter();
        while let Some(word) = words.next() {
            if STARTS.contains(&word.as_str()) {
                let command: Vec<String> = words
                    .by_ref()
                    .take_while(|word| *word != ";" && *word != "+")
                    .cloned()
                    .collect();
                commands.extend(quoted(&command));
            }
        }
        commands
    }
}

fn values(options: &Options, words: &[String], letter: char, names: &[&str]) -> Vec<String> {
    let values = options.values(words, letter, names).into_iter();
    values.map(str::to_owned).collect()
}

/// Joins words that a shell splits anew.
fn joined(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" "))
}

/// Joins words so that a shell splits them into the same ones.
pub(super) fn quoted(words: &[String]) -> Option<String> {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
        .collect();
    joined(&quoted)
}
