//! Refuses commands that would not come to an end by themselves or would leave processes behind.
//!
//! Only the command line itself is judged: what is quoted or in a here-document is data.

use super::command_line::{CommandLine, Program};

const WRAPPED: &str = "Foreground command uses shell-level background wrappers (nohup/disown/setsid). A script's command runs in the foreground, and no process outlives it: run the command without the wrapper.";
const BACKGROUND: &str = "Foreground command uses '&' backgrounding. A script's command runs in the foreground, and no process outlives it: remove the '&'.";
const SERVER: &str = "This foreground command appears to start a long-lived server/watch process. A script's command has to end by itself: start servers outside the script.";

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
    } else if programs().any(is_server) {
        Some(SERVER)
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
    let mut names = program.wrappers.iter().chain([&program.name]);
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
        ("docker", ["compose", rest @ ..]) | ("docker-compose", rest) => {
            rest.contains(&"up") && !rest.iter().any(|word| ["-d", "--detach"].contains(word))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_commands_that_it_stops() {
        let rows: [(&str, &[&str]); 3] = [
            (
                WRAPPED,
                &["nohup make", "make & disown", "sudo setsid x", "(setsid x)"],
            ),
            (BACKGROUND, &["make &", "a & b", "(sleep 9 &)"]),
            (
                SERVER,
                &[
                    "npm start",
                    "npm run dev",
                    "yarn watch",
                    "pnpm run serve",
                    "docker compose -f x up",
                    "next dev",
                    "npx vite",
                    "vite",
                    "cd x && nodemon a.js",
                    "uvicorn app:app",
                    "gunicorn app",
                    "python3 -m http.server 80",
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
        ];
        for command in commands {
            assert_eq!(refusal(command), None, "{command}");
        }
    }
}
