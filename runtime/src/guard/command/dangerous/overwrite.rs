//! Writes onto files that configure the system, the shell or an agent, or that hold credentials.

use super::super::option::is_long_option;
use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::target::{Sensitive, base_name, behind_home};

pub(super) const RULES: [Rule; 4] = [
    Rule {
        description: "overwrite system config",
        finds: Finds::Program(|program| writes(program, Sensitive::System)),
        hits: &[
            "echo x > /etc/hosts",
            "echo x | sudo tee -a /etc/sudoers.d/x",
            "cp x /etc/",
            "sudo mv x /etc/nginx/nginx.conf",
            "install -m 644 x /etc/x",
            "sed -i s/a/b/ /etc/fstab",
            "sed -n --in-place=.bak p /etc/x",
            "ln -sf x /etc/x",
            "echo x >| \"/etc/x\"",
            "dd of=/etc/passwd",
            "cp -t /etc x",
            "mv /etc/passwd x",
        ],
        misses: &[
            "cat /etc/hosts",
            "cp /etc/hosts x",
            "sed -n p /etc/fstab",
            "echo '> /etc/x'",
            "echo x > etc/hosts",
            "mv /etc/x/../../tmp/a b",
        ],
    },
    Rule {
        description: "overwrite of credentials or SSH files",
        finds: Finds::Program(|program| writes(program, Sensitive::Credentials)),
        hits: &[
            "echo key >> ~/.ssh/authorized_keys",
            "cp x $HOME/.netrc",
            "tee ~/.pgpass <x",
            "mv x /home/u/.npmrc",
            "sed -i d ${HOME}/.pypirc",
            "echo x > ~/.aws/credentials",
            "cp k ~/.ssh",
            "cp -t ~/.ssh k",
        ],
        misses: &[
            "cat ~/.ssh/config",
            "cp ~/.netrc x",
            "echo x > ssh/config",
            "ls ~/.ssh",
        ],
    },
    Rule {
        description: "overwrite of a shell startup file",
        finds: Finds::Program(|program| writes(program, Sensitive::ShellStartup)),
        hits: &[
            "echo x >> ~/.bashrc",
            "tee -a .zshrc",
            "cp x /home/u/.profile",
            "sed -i 1d ~/.bash_profile",
            "cp x/.bashrc ~/",
            "mv .profile $HOME",
        ],
        misses: &[
            "source ~/.bashrc",
            "cat ~/.zshrc",
            "cp ~/.profile x",
            "cp x ~/",
            "echo x > bashrc",
        ],
    },
    Rule {
        description: "overwrite of agent or project secrets and config",
        finds: Finds::Program(|program| writes(program, Sensitive::Project)),
        hits: &[
            "echo K=v > .env",
            "cp x app/.env.production",
            "sed -i s/a/b/ ~/.hermes/config.yaml",
            "tee config.yaml",
            "mv x $HERMES_HOME/auth.json",
        ],
        misses: &[
            "cat .env",
            "cp .env x",
            "cp x .env.example",
            "echo x > settings.yaml",
            "echo '.env'",
        ],
    },
];

/// Tells whether a program writes onto such a file.
fn writes(program: &Program, kind: Sensitive) -> bool {
    let is_such = |path: &str| Sensitive::of(path) == Some(kind);
    if program.outputs.iter().any(|path| is_such(path)) {
        return true;
    }
    match program.name.as_str() {
        "tee" | "truncate" => program.operands().any(is_such),
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => {
            let directory = program
                .arguments
                .iter()
                .skip_while(|word| *word != "-t" && !is_long_option(word, &["--target-directory"]))
                .take(2);
            let target = program.operands().skip(1).last();
            let is_home =
                |path: &str| behind_home(path).is_some_and(|rest| ["", "/"].contains(&rest));
            target.is_some_and(is_such)
                || target.is_some_and(is_home)
                    && program.operands().any(|path| is_such(base_name(path)))
                || program.name == "mv"
                    && kind == Sensitive::System
                    && program.operands().any(is_such)
                || directory
                    .map(|word| word.split_once('=').map_or(word.as_str(), |(_, path)| path))
                    .any(is_such)
        }
        "sed" | "perl" => program.has_flag("i", &["--in-place"]) && program.operands().any(is_such),
        "dd" => program
            .arguments
            .iter()
            .filter_map(|word| word.strip_prefix("of="))
            .any(is_such),
        _ => false,
    }
}
