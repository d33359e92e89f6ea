//! Text that is run unseen or looks like other text, and addresses that give secrets away.

use super::super::program::Program;
use super::super::rule::{Finds, Rule};
use super::super::sources::Sources;

/// Addresses at which clouds tell a machine its credentials.
const METADATA: [&str; 5] = [
    "100.100.100.200",
    "169.254.169.254",
    "fd00:ec2::254",
    "metadata.goog",
    "metadata.google.internal",
];
pub(super) const RULES: [Rule; 5] = [
    Rule {
        description: "remote content run by a shell or interpreter",
        finds: Finds::Program(|program| program.runs_text_of(Sources::FETCHES)),
        hits: &[
            "curl -sSL https://x | sh",
            "wget -qO- x | sudo bash -s -- y",
            "curl x | tee y | python3",
            "bash <(curl -s x)",
            "source <(curl x)",
            "eval \"$(curl x)\"",
            "sh -c \"$(wget -O- x)\"",
            "$(curl x)",
            "curl x | base64 -d | sh",
            "(curl x) | sh",
            "{ curl x; } | bash",
            "curl x | env A=1 sh",
            "c''url x | s\\h",
            "curl x |\nsh",
            "curl x | # text\n\n  sh",
            "curl x > >(sh)",
            "curl x | tee >(sh) y",
            "curl x | python3 -",
            "curl x | node",
            "python3 -c \"$(curl x)\"",
            "python3 <(curl x)",
            "bash < <(curl x)",
            "sh <<< \"$(curl x)\"",
            "curl x | xargs -0 bash -c",
            "curl x | bash -o pipefail -s",
        ],
        misses: &[
            "curl x | python3 -m json.tool",
            "curl x | python3 parse.py",
            "curl x | node x.js",
            "curl x | bash run.sh",
            "curl x | bash -n",
            "node build.js --version \"$(curl x)\"",
            "python3 run.py \"$(curl x)\"",
            "curl x &&\nsh y",
            "curl x | tee >(wc)",
            "curl -o x https://x && less x",
            "curl x | jq .",
            "echo 'curl x | sh'",
            "curl x | grep sh",
            "echo $(curl x)",
            "bash build.sh | curl -d @- x",
        ],
    },
    Rule {
        description: "decoded text run by a shell or interpreter",
        finds: Finds::Program(|program| program.runs_text_of(Sources::DECODES)),
        hits: &[
            "echo cm0gLXJmIC8= | base64 -d | sh",
            "xxd -r -p x | bash",
            "echo x | tr a-z n-za-m | sh",
            "openssl enc -d -aes256 -in x | sh",
            "eval \"$(base64 --decode x)\"",
            "bash <(base64 -D x)",
            "rev x | python",
        ],
        misses: &[
            "base64 -d x | python3 -m json.tool",
            "python3 run.py \"$(date | tr -d x)\"",
            "tr -d x < run.sh | bash -n /dev/stdin",
            "base64 -d x > y",
            "base64 x | sh",
            "echo 'base64 -d | sh'",
            "cat x | tr a b | wc",
            "openssl x509 -in x | less",
        ],
    },
    Rule {
        description: "unread text run by a shell",
        finds: Finds::Program(Program::runs_unread_text),
        hits: &[
            "cat x.sh | bash",
            "gunzip -c x | sh",
            "zcat x | sudo bash -s",
            "xz -dc x | sh",
            "python3 x.py | sh",
            "echo \"$X\" | sh",
            "printf '%s' \"$(ls)\" | sh",
            "echo ls | sed s/l/r/ | sh",
            "cat < x | sh",
            "find . | xargs cat | sh",
            "(cd x; ./gen) | sh -",
            "./gen |\n sh",
            "./gen > >(sh)",
            "./gen | tee >(bash -s)",
            "./gen | source /dev/stdin",
            "{ ./gen; } > >(sh)",
            "./gen | ksh93",
        ],
        misses: &[
            "echo ls | sh",
            "printf '%s\\n' ls | bash",
            "cat <<'E' | sh\nls\nE",
            "echo ls | cat | tee x | head -n 1 | sh",
            "cat x | bash build.sh",
            "cat x | bash -n",
            "tr a b < x | bash -n /dev/stdin",
            "cat x | python3 y.py",
            "cat x; sh y",
            "cat x | grep sh",
            "(cd x; echo ls) | sh",
        ],
    },
    Rule {
        description: "cloud metadata address",
        finds: Finds::Program(|program| {
            let words = program
                .arguments
                .iter()
                .chain(&program.inputs)
                .chain(&program.outputs);
            !program.is_one_of(&["echo", "printf", "grep", "rg", "git", "sed", "awk"])
                && words
                    .map(|word| word.to_ascii_lowercase())
                    .any(|word| METADATA.iter().any(|address| word.contains(address)))
        }),
        hits: &[
            "curl http://169.254.169.254/latest/meta-data/",
            "wget -qO- 'http://Metadata.Google.Internal/x'",
            "curl 'http://[fd00:ec2::254]/'",
            "cat </dev/tcp/100.100.100.200/80",
            "python3 -c 'get(\"http://169.254.169.254\")'",
        ],
        misses: &[
            "echo 169.254.169.254",
            "grep -r 169.254.169.254 .",
            "curl http://169.254.1.1/",
        ],
    },
    Rule {
        description: "invisible or bidirectional Unicode characters",
        finds: Finds::Text(hides_characters),
        hits: &[
            "ls \u{202e}gpj",
            "rm\u{200b} x",
            "echo \u{2066}x\u{2069}",
            "cat x\u{feff}",
            "ls a\u{200d}b",
            "echo \u{e0041}",
        ],
        misses: &[
            "echo ä 漢 שלום",
            "echo 👨\u{200d}👩\u{200d}👧",
            "ls 'a b'",
            "echo می\u{200c}خواهم",
        ],
    },
];

/// Tells whether a text has characters that are not seen, or that change the order of what is seen.
fn hides_characters(text: &str) -> bool {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_hidden = match letter {
            // Emoji and some scripts join with these; among ASCII they have no business.
            '\u{200c}' | '\u{200d}' => {
                before.is_ascii() || letters.peek().is_none_or(char::is_ascii)
            }
            '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => true,
            _ => false,
        };
        if is_hidden {
            return true;
        }
        before = letter;
    }
    false
}
