//! Refuses commands that would not come to an end by themselves or would leave processes behind.
//!
//! Only the command line itself is judged: what is quoted or in a here-document is data.

use std::collections::HashSet;

use crate::guard::{CommandLine, Program};

const WRAPPED: &str = "Foreground command uses shell-level background wrappers (nohup/disown/setsid). A script's command runs in the foreground, and no process outlives it: run the command without the wrapper.";
const BACKGROUND: &str = "Foreground command uses '&' backgrounding. A script's command runs in the foreground, and no process outlives it: remove the '&'.";
const SERVER: &str = "This foreground command appears to start a long-lived server/watch process. A script's command has to end by itself: start servers outside the script.";

const ENDLESS: &str = "This foreground command never ends by itself. A script's command has to: limit it, for example with 'timeout 10 ...', 'ping -c 4', 'top -b -n 1', or without the option that follows changes.";

const BACKGROUND_WRAPPERS: [&str; 3] = ["disown", "nohup", "setsid"];
/// Options with which a server only tells about itself.
const INFORMING_OPTIONS: [&str; 4] = ["--help", "--version", "-h", "-v"];
const NODE_RUNNERS: [&str; 4] = ["bun", "npm", "pnpm", "yarn"];
const NODE_SCRIPTS: [&str; 4] = ["dev", "serve", "start", "watch"];
const SERVERS: [&str; 3] = ["gunicorn", "nodemon", "uvicorn"];

/// Returns why a command is not run in the foreground; `None` if it is.
pub(super) fn refusal(command: &str) -> Option<&'static str> {
    let line = CommandLine::outer(command);
    let programs = || {
        line.programs
            .iter()
            .filter(|program| !only_informs(program))
    };
    if programs().any(is_wrapped) {
        Some(WRAPPED)
    } else if programs().any(|program| program.is_background) {
        Some(BACKGROUND)
    } else if programs().any(|program| is_server(program) && !is_limited(program)) {
        Some(SERVER)
    } else if has_endless(&line) {
        Some(ENDLESS)
    } else {
        None
    }
}

fn only_informs(program: &Program) -> bool {
    program
        .arguments
        .iter()
        .any(|word| INFORMING_OPTIONS.contains(&word.as_str()))
}

fn is_wrapped(program: &Program) -> bool {
    let wrappers = program.wrappers.iter().map(|wrapper| &wrapper.name);
    let mut names = wrappers.chain([&program.name]);
    names.any(|name| BACKGROUND_WRAPPERS.contains(&name.as_str()))
}

fn is_server(program: &Program) -> bool {
    let words: Vec<&str> = program.arguments.iter().map(String::as_str).collect();
    match (program.name.as_str(), words.as_slice()) {
        (runner, ["run", script, ..] | [script, ..])
            if NODE_RUNNERS.contains(&runner) && NODE_SCRIPTS.contains(script) =>
        {
            true
        }
        _ if program.container_call().is_some() => program
            .container_call()
            .is_some_and(|call| call.is_compose && call.action == "up" && !ends_up(call.words)),
        ("next", ["dev", ..]) => true,
        ("vite", words) => !words
            .iter()
            .any(|word| ["build", "optimize"].contains(word)),
        (python, words) if python.starts_with("python") => {
            words.windows(2).any(|pair| pair == ["-m", "http.server"])
        }
        (name, _) => SERVERS.contains(&name),
    }
}

/// Tells whether the options of `compose up` make it end.
fn ends_up(words: &[String]) -> bool {
    const ENDING: [&str; 6] = [
        "--abort-on-container-exit",
        "--abort-on-container-failure",
        "--detach",
        "--exit-code-from",
        "--no-start",
        "--wait",
    ];
    words.iter().any(|word| {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        let is_cluster = word.starts_with('-') && !word.starts_with("--");
        ENDING.contains(&name) || is_cluster && word.contains('d')
    })
}

/// Tells whether a time limit stands around a program.
fn is_limited(program: &Program) -> bool {
    let mut wrappers = program.wrappers.iter();
    wrappers.any(|wrapper| wrapper.name == "timeout")
}

/// Tells whether a program goes on for ever, with nothing behind or around it that could end it.
fn has_endless(line: &CommandLine) -> bool {
    let mut pipelines = HashSet::new();
    line.programs.iter().rev().any(|program| {
        let is_last = pipelines.insert(program.pipeline());
        is_last && !is_limited(program) && is_endless(program) && !only_informs(program)
    })
}

/// Tells whether a program follows changes or repeats itself until it is stopped.
///
/// What only waits for somebody to type is no such program: the input of a command is empty, and there is no terminal.
fn is_endless(program: &Program) -> bool {
    match program.name.as_str() {
        "tail" => {
            program.has_flag("fF", &["--follow", "--retry"]) && !program.has_flag("", &["--pid"])
        }
        "journalctl" => program.has_flag("f", &["--follow"]),
        "dmesg" => program.has_flag("wW", &["--follow", "--follow-new"]),
        _ if program.container_call().is_some() => program.container_call().is_some_and(|call| {
            let follows = |word: &String| {
                let is_cluster = word.starts_with('-') && !word.starts_with("--");
                word == "--follow" || is_cluster && word.contains('f')
            };
            call.action == "logs" && call.words.iter().any(follows)
        }),
        "ping" => !program.has_flag("cw", &[]),
        "top" => program.has_flag("b", &["--batch"]) && !program.has_flag("n", &["--iterations"]),
        "watch" => !program.has_flag("ge", &["--chgexit", "--errexit"]),
        "sleep" => program.has_word("infinity") || program.has_word("inf"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_commands_that_it_stops() {
        let rows: [(&str, &[&str]); 4] = [
            (
                WRAPPED,
                &[
                    "nohup make",
                    "make & disown",
                    "sudo setsid x",
                    "(setsid x)",
                    "case x in x) nohup y;; esac",
                    "x=$((1<<2))\nnohup y",
                ],
            ),
            (
                BACKGROUND,
                &[
                    "make &",
                    "a & b",
                    "(sleep 9 &)",
                    "echo $((1 & 2)) & b",
                    "x=(a b) &",
                    "case x in x) a & ;; esac",
                ],
            ),
            (
                SERVER,
                &[
                    "npm start",
                    "npm run dev",
                    "yarn watch",
                    "pnpm run serve",
                    "docker compose -f x up",
                    "docker compose up --build web",
                    "timeout 5 ls; uvicorn app:app",
                    "next dev",
                    "npx vite",
                    "vite",
                    "cd x && nodemon a.js",
                    "uvicorn app:app",
                    "gunicorn app",
                    "python3 -m http.server 80",
                ],
            ),
            (
                ENDLESS,
                &[
                    "tail -f log",
                    "sudo tail -n 5 -F log",
                    "journalctl -fu x",
                    "docker logs --follow x",
                    "docker compose -f a.yml logs -f web",
                    "kubectl -n x logs -f pod",
                    "ping host",
                    "top -b",
                    "watch ls",
                    "cd x && sleep infinity",
                ],
            ),
        ];
        for (text, commands) in rows {
            for command in commands {
                assert_eq!(refusal(command), Some(text), "{command}");
            }
        }
    }

    #[test]
    fn other_commands_run() {
        let commands = [
            "make && make test || true",
            "make 2>&1 | tee log &> x",
            "echo 'a & b; nohup c'",
            "cat <<E\nnohup x &\nE",
            "npm run build",
            "npm install",
            "docker compose up -d",
            "docker compose ps",
            "vite build",
            "uvicorn --help",
            "nohup --version",
            "python -m json.tool",
            "grep nohup x",
            "tail -n 5 log",
            "timeout 5 tail -f log",
            "tail -f log | grep -m 1 x",
            "ping -c 4 host",
            "top -b -n 1",
            "docker logs x",
            "python3",
            "sleep 5",
            "echo tail -f",
            "docker compose -f a.yml -f b.yml logs --tail 50 web",
            "docker-compose -f a.yml logs web",
            "kubectl -f x logs",
            "docker compose run web alembic up",
            "docker compose up --wait",
            "docker compose up --build --abort-on-container-exit",
            "docker compose up -Vd",
            "timeout 10 npm run dev",
            "timeout 5 uvicorn app:app",
            "timeout 5 docker compose up",
            "command -v uvicorn > x && ls",
            "command -v nohup",
            "type vite; which gunicorn",
            "if (( flags & 1 )); then ls; fi",
            "x=$((0x10 & 0xff)) y=$(( 0777 & ~022 ))",
            "(( $# & 1 )) && a[i & 1]=2",
            "echo $[1 & 2] \"$((a & b))\" ${x//&/and}",
            "case $1 in nohup) ls ;; uvicorn|vite) ls ;& *) ls ;; esac",
            "services=(gunicorn nginx); x+=(vite)",
            "[[ $s =~ ^[a-z]+(&|;)$ ]] || ls",
            "v=\"${v%'\"'}\"\necho 'a & b'",
            "printf '%s' \"${s//'\"'/\\\"}\"\necho 'a & b'",
        ];
        for command in commands {
            assert_eq!(refusal(command), None, "{command}");
        }
    }
}
