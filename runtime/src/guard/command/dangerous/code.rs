//! Code that stands in the command itself, which the guard cannot judge.

use super::super::rule::{Finds, Rule};

pub(super) const RULES: [Rule; 3] = [
    Rule {
        description: "script execution via -e/-c flag",
        finds: Finds::OwnProgram(|program| {
            !program.is_shell()
                && program
                    .shell_call()
                    .is_some_and(|call| call.has_code_option)
        }),
        hits: &[
            "python -c 'print(1)'",
            "python3.11 -Ic 'x'",
            "perl -ne 'print'",
            "node --eval x",
            "ruby -e 1",
            "php -r x",
            "deno eval x",
            "sudo python3 -c x",
            "python -X dev -c x",
            "python -W ignore -c x",
            "python3.12 -Wd -c x",
            "node -r x -e 1",
            "node --input-type=module -e 1",
            "node --require x --eval 1",
            "php -d x=1 -r 1",
            "perl -MFoo -we 1",
            "ruby -rjson -e 1",
            "lua -l x -e 1",
            "Rscript -e 1",
            "ipython -c 1",
            "osascript -e 1",
            "bun -e 1",
        ],
        misses: &[
            "python x.py -c",
            "python -m json.tool -c",
            "node x.js -e",
            "python --version",
            "echo python -c x",
            "perl x.pl",
            "python -X dev x.py -c",
            "python -mpip -c",
            "php -d x=r x.php",
            "perl -i.bake x.pl",
            "node -r ./e x.js",
        ],
    },
    Rule {
        description: "shell command via -c flag",
        finds: Finds::OwnProgram(|program| {
            program.is_shell()
                && program
                    .shell_call()
                    .is_some_and(|call| call.has_code_option)
                || program.is_one_of(&["su", "runuser"])
                    && program.has_flag("c", &["--command", "--session-command"])
        }),
        hits: &[
            "bash -c ls",
            "sh -lc 'ls'",
            "sudo zsh -ic x",
            "su -c ls me",
            "bash -xec ls",
            "bash -co pipefail ls",
            "bash --norc -o errexit -c ls",
            "fish --command=ls",
            "mksh -c ls",
        ],
        misses: &[
            "bash x.sh",
            "bash --norc x.sh",
            "sh -x y",
            "echo bash -c ls",
            "grep -c sh x",
            "bash -o pipefail x.sh -c",
            "docker exec x sh -c ls",
        ],
    },
    Rule {
        description: "script in a here-document or here-string",
        finds: Finds::OwnProgram(|program| {
            (program.has_document || !program.input.is_empty())
                && !program.is_one_of(&[".", "source"])
                && program.shell_call().is_some_and(|call| call.reads_input)
        }),
        hits: &[
            "bash <<E\nls\nE",
            "python3 - <<'E'\nprint(1)\nE",
            "sh <<< ls",
            "sudo bash -s <<-E\n\tls\n\tE",
            "python3 /dev/stdin <<< x",
            "bash -s a <<< ls",
        ],
        misses: &[
            "cat <<E\nbash\nE",
            "python3 x.py < y",
            "echo 'bash <<E'",
            "tee x <<E\npython\nE",
            "python3 x.py <<< y",
            "bash x.sh <<E\ny\nE",
            "python3 -m json.tool <<< {}",
            "bash -n <<< ls",
        ],
    },
];
