//! Every exit code: what ends a run is told by a number.

use hermes_tests::Cli;

#[test]
fn success_is_0_whatever_the_script_exits_with() {
    Cli::new(["run", "-c", "print(1)"])
        .run()
        .exits(0)
        .prints("1\n")
        .reports("");
    Cli::new(["run", "-c", "import sys; sys.exit(7)"])
        .run()
        .exits(0)
        .prints("")
        .reports("");
}

#[test]
fn a_script_error_is_1() {
    for code in [
        "1/0",
        "def f(:",
        "raise KeyboardInterrupt",
        "import os; os._exit(0)",
    ] {
        Cli::new(["run", "-c", code]).run().exits(1);
    }
}

#[test]
fn wrong_usage_is_2() {
    let lines: &[&[&str]] = &[
        &[],
        &["walk"],
        &["run", "--no-such-option", "-c", "1"],
        &["run", "-c"],
        &["run", "a.py", "-c", "1"],
        &["run", "--timeout", "nan", "-c", "1"],
        &["run", "--timeout", "-1", "-c", "1"],
        &["run", "--timeout", "0", "-c", "1"],
        &["run", "--timeout", "inf", "-c", "1"],
        &["run", "--timeout", "soon", "-c", "1"],
        &["run", "--max-tool-calls", "-1", "-c", "1"],
        &["run", "--max-tool-calls", "1.5", "-c", "1"],
        &["run", "--memory-limit", "-1", "-c", "1"],
        &["run", "--memory-limit", "much", "-c", "1"],
        &["run", "--fuel", "0", "-c", "1"],
        &["run", "--fuel", "-5", "-c", "1"],
        &["run", "--mode", "bogus", "-c", "1"],
        &["run", "--mode", "", "-c", "1"],
        &["run", "--tools", "terminal,teleport", "-c", "1"],
        &["run", "no-such-file.py"],
        &["run", "/"],
        &["serve"],
        &["artifact", "destroy"],
    ];
    for line in lines {
        let ended = Cli::new(*line).run();
        ended.exits(2).prints("");
        assert!(
            ended.stderr.to_lowercase().contains("error") || ended.stderr.contains("Usage"),
            "{ended:?}"
        );
    }
}

#[test]
fn usage_errors_name_the_value_and_what_is_allowed() {
    Cli::new(["run", "--mode", "bogus", "-c", "1"])
        .run()
        .exits(2)
        .reports_line_with("use `strict` or `project`");
    Cli::new(["run", "--timeout", "nan", "-c", "1"])
        .run()
        .exits(2)
        .reports_line_with("use a positive number of seconds, at most 1000000000");
    Cli::new(["run", "--tools", "teleport", "-c", "1"]).run().exits(2).reports(
        "error: unknown tool `teleport`\nhint: known tools are `patch`, `read_file`, `search_files`, `terminal`, `web_extract`, `web_search`, `write_file`\n",
    );
    Cli::new(["run", "no-such-file.py"])
        .run()
        .exits(2)
        .reports("error: no file `no-such-file.py`\nhint: pass code itself with `-c CODE`\n");
    Cli::new(["run", "/"])
        .run()
        .exits(2)
        .reports("error: `/` is a directory\nhint: name the script in it\n");
}

#[test]
fn a_refusal_is_3() {
    let no_code = "No code provided. execute_code requires a non-empty 'code' parameter containing Python source. To run shell commands, use terminal(command=...) instead.";
    Cli::new(["run", "-c", " \n"])
        .run()
        .exits(3)
        .prints("")
        .reports(&format!("error: {no_code}\n"));
    Cli::new(["run"])
        .stdin("")
        .run()
        .exits(3)
        .prints("")
        .reports(&format!("error: {no_code}\n"));
    Cli::new(["run", "--workdir", "/no/such/place", "-c", "1"])
        .run()
        .exits(3)
        .prints("")
        .reports_line_with("cannot open the working directory '/no/such/place'");
    let json = Cli::new(["run", "--json", "-c", ""]).run();
    json.exits(3).reports("");
    assert_eq!(json.stdout, format!("{{\"error\":{no_code:?}}}\n"));
}

#[test]
fn a_timeout_is_124_and_keeps_the_output() {
    Cli::new(["run", "--timeout", "0.5", "-c", "print('start')\nwhile True: pass"]).run().exits(124).prints("start\n").reports(
        "error: Cell timed out after 0.5s; the session kernel was killed and its state was lost. The next execute_code call starts a fresh kernel.\n",
    );
}

#[test]
fn a_fault_of_the_runtime_is_125() {
    let place = tempfile::tempdir().unwrap();
    let ended = Cli::new(["run", "-c", "1"])
        .env("HERMES_ARTIFACT_DIR", place.path())
        .run();
    ended
        .exits(125)
        .prints("")
        .reports_line_with("no guest artifact found")
        .reports_line_with("hint: build it with `make artifact`");
}

#[test]
fn a_memory_limit_below_the_interpreters_own_names_the_least() {
    let ended = Cli::new(["run", "--memory-limit", "1MiB", "-c", "1"]).run();
    ended
        .exits(2)
        .prints("")
        .reports_line_with("a memory limit of 1MiB leaves no room for the interpreter")
        .reports_line_with("hint: allow at least ");
}

#[test]
fn help_and_version_are_0() {
    let help = Cli::new(["--help"]).run();
    help.exits(0).reports("");
    for line in [
        "  124  the script ran out of time",
        "  3    the call was refused",
    ] {
        assert!(help.stdout.lines().any(|shown| shown == line), "{help:?}");
    }
    for command in ["run", "serve", "artifact"] {
        let help = Cli::new([command, "--help"]).run();
        help.exits(0).reports("");
        assert!(help.stdout.contains("Usage: hermes-exec"), "{help:?}");
    }
    let warned = Cli::new(["run", "--help"]).run();
    let text = warned
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        text.contains(
            "`terminal` runs commands on this machine, outside the sandbox and with your own rights."
        ),
        "{text}"
    );
}

#[test]
fn the_version_names_the_engine_and_the_interpreter() {
    let expected = format!(
        "hermes-exec {} (wasmtime {}, CPython 3.13.5)\n",
        env!("CARGO_PKG_VERSION"),
        hermes_runtime::WASMTIME_VERSION
    );
    Cli::new(["--version"])
        .run()
        .exits(0)
        .prints(&expected)
        .reports("");
    let place = tempfile::tempdir().unwrap();
    let expected = expected.replace("CPython 3.13.5", "CPython: no artifact found");
    Cli::new(["-V"])
        .env("HERMES_ARTIFACT_DIR", place.path())
        .run()
        .exits(0)
        .prints(&expected);
}
