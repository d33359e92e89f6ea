//! `hermes-exec config`, and what `config.yaml` changes for `run`.

use hermes_tests::Cli;
use serde_json::{Value, json};

/// Returns value and origin of a key, as `config --json` shows them.
fn shown(json: &Value, key: &str) -> (Value, Value) {
    let settings = json["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["key"] == key);
    let setting = setting.unwrap_or_else(|| panic!("{key} is missing in {json}"));
    (setting["value"].clone(), setting["origin"].clone())
}

#[test]
fn each_value_is_shown_with_where_it_came_from() {
    let ended = Cli::new(["config", "--json", "--max-tool-calls", "7"])
        .config("code_execution: {timeout: 60, max_tool_calls: 9}\nterminal: {timeout: 20}\n")
        .env("TERMINAL_TIMEOUT", "30")
        .run();
    ended.exits(0).reports("");
    let json = ended.json();
    let rows = [
        ("code_execution.mode", json!("strict"), "default"),
        ("code_execution.timeout", json!(60), "config.yaml"),
        ("code_execution.max_tool_calls", json!(7), "command line"),
        (
            "terminal.timeout",
            json!(30),
            "environment: TERMINAL_TIMEOUT",
        ),
    ];
    for (key, value, origin) in rows {
        assert_eq!(shown(&json, key), (value, json!(origin)), "{key}");
    }
    assert_eq!(json["warnings"], json!([]));
    let path = ended.home().join("config.yaml");
    assert_eq!(json["path"], json!(path.to_str().unwrap()));
}

#[test]
fn every_option_that_stands_for_a_key_is_shown_at_its_key() {
    let options = "--mode project --timeout 2.5 --max-tool-calls 7 --session-idle 60 --max-sessions 2 --workdir /";
    let arguments = ["config", "--json"].into_iter().chain(options.split(' '));
    let ended = Cli::new(arguments)
        .config("code_execution: {kernel_idle_timeout: 5}\nterminal: {cwd: /tmp}\n")
        .run();
    ended.exits(0).reports("");
    let json = ended.json();
    let rows = [
        ("code_execution.mode", json!("project")),
        ("code_execution.timeout", json!(2.5)),
        ("code_execution.max_tool_calls", json!(7)),
        ("code_execution.kernel_idle_timeout", json!(60)),
        ("code_execution.max_session_kernels", json!(2)),
        ("terminal.cwd", json!("/")),
    ];
    for (key, value) in rows {
        assert_eq!(shown(&json, key), (value, json!("command line")), "{key}");
    }
}

#[test]
fn what_must_be_told_is_told_whatever_the_log_leaves_out() {
    let yaml = "code_execution: {mode: project, timeout: soon}";
    for log in ["", "error", "off", "hermes_runtime=off"] {
        Cli::new(["run", "-c", "print(6 * 7)"])
            .config(yaml)
            .env("HERMES_LOG", log)
            .run()
            .exits(0)
            .prints("42\n")
            .reports_line_with("`code_execution.timeout` in config.yaml is a text")
            .reports_line_with("config.yaml chooses project mode");
    }
}

#[test]
fn the_table_has_a_line_for_each_key() {
    let ended = Cli::new(["config"])
        .config("code_execution: {timeout: 60}")
        .run();
    ended.exits(0).reports("");
    let lines: Vec<Vec<_>> = ended
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(lines.contains(&vec!["code_execution.timeout", "60", "config.yaml"]));
    assert!(lines.contains(&vec!["approvals.deny", "[]", "default"]));
    assert!(lines.iter().all(|line| line.len() >= 3), "{ended:?}");
}

#[test]
fn what_is_broken_is_told_and_nothing_fails() {
    let warning = "`code_execution.timeout` in config.yaml is a text; expected a whole number from 1 to 1000000000 (seconds); using the default, 300";
    let yaml = "code_execution: {timeout: soon}";
    let ended = Cli::new(["config", "--json"]).config(yaml).run();
    ended.exits(0).reports_line_with(warning);
    assert_eq!(ended.json()["warnings"], json!([warning]));
    let ran = |yaml: &str| Cli::new(["run", "-c", "print(6 * 7)"]).config(yaml).run();
    ran(yaml).exits(0).prints("42\n").reports_line_with(warning);
    ran("a: [\n")
        .exits(0)
        .prints("42\n")
        .reports_line_with("config.yaml is not used: ");
    ran("model: {name: x}\n")
        .exits(0)
        .prints("42\n")
        .reports("");
}

#[test]
fn the_file_limits_cells_and_the_command_line_limits_them_again() {
    let code = "from hermes_tools import search_files\nprint([search_files('x', path='.').get('error', '')[:26] for _ in range(2)][1])";
    let refused = "Tool call limit reached (1)";
    let run = |options: &[&str]| {
        let arguments = ["run", "--json", "-c", code]
            .into_iter()
            .chain(options.iter().copied());
        let ended = Cli::new(arguments)
            .config("code_execution: {max_tool_calls: 1}")
            .run();
        ended.exits(0);
        ended.json()
    };
    let limited = run(&[]);
    assert_eq!(limited["output"], json!(format!("{}\n", &refused[..26])));
    assert_eq!(limited["tool_calls_made"], json!(1));
    assert_eq!(run(&["--max-tool-calls", "2"])["tool_calls_made"], json!(2));
}

#[test]
fn a_file_that_chooses_project_mode_is_told_and_the_command_line_wins() {
    const NOTICE: &str = "config.yaml chooses project mode: code runs with your own rights";
    let code = "import sys; print(sys.platform)";
    let run = |mode: &str, options: &[&str]| {
        let arguments = ["run", "-c", code]
            .into_iter()
            .chain(options.iter().copied());
        Cli::new(arguments)
            .config(&format!("code_execution: {{mode: {mode}}}"))
            .run()
    };
    let followed = run("Project", &[]);
    followed.exits(0).reports_line_with(NOTICE);
    assert_ne!(followed.stdout, "wasi\n");
    run("project", &["--mode", "strict"])
        .exits(0)
        .prints("wasi\n")
        .reports("");
    for broken in ["bogus", "~", "3", "per-call"] {
        let ended = run(broken, &[]);
        ended.exits(0).prints("wasi\n");
        assert!(!ended.stderr.contains(NOTICE), "{ended:?}");
    }
    let named = Cli::new(["run", "-c", code])
        .config("code_execution: {mode: project}")
        .env("HERMES_EXEC_MODE", "strict")
        .run();
    named.exits(0).prints("wasi\n").reports("");
}

#[test]
fn files_of_shells_begin_at_the_configuration_and_one_that_replaces_its_shell_is_told() {
    let code = "from hermes_tools import terminal\nfor _ in range(2): print(terminal('echo $A; echo ran >>made; cat made')['output'])";
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("rc"), "export A=planted\n").unwrap();
    let run = |rc: &str, files: &str| {
        let workdir = place.path().to_str().unwrap();
        std::fs::remove_file(place.path().join("made")).ok();
        let arguments = [
            "run",
            "--tools",
            "terminal",
            "--workdir",
            workdir,
            "-c",
            code,
        ];
        let cli = Cli::new(arguments).config(&format!("terminal: {{shell_init_files: {files}}}"));
        std::fs::write(cli.home().join("rc"), rc).unwrap();
        cli.run()
    };
    run("export A=1\n", "rc")
        .exits(0)
        .prints("1\nran\n1\nran\nran\n")
        .reports("");
    run("export A=1; exit 0\n", "[rc, missing]")
        .exits(0)
        .prints("1\nran\n1\nran\nran\n")
        .reports("");
    for (rc, told) in [
        (
            "export A=1; exec true\n",
            "rc\" that shells read first is of no effect: it replaced its shell, or broke it",
        ),
        (
            "set -e; false\n",
            "rc\" that shells read first ended its shell before its own end, with exit code 1; what it set before counts",
        ),
    ] {
        let ended = run(rc, "rc");
        ended.exits(0).prints("ran\nran\nran\n");
        assert_eq!(ended.stderr.matches("that shells read first").count(), 1);
        ended.reports_line_with(told);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_no_user_has_a_number_no_file_is_used() {
    let namespace = ["unshare", "--user"];
    let made = std::process::Command::new("unshare")
        .args(["--user", "true"])
        .status();
    if !made.is_ok_and(|made| made.success()) {
        // This machine has no such namespaces.
        return;
    }
    let ended = Cli::new(["config", "--json"])
        .config("code_execution: {timeout: 60}")
        .started_by(&namespace)
        .run();
    ended.exits(0);
    let json = ended.json();
    let expected = (json!(300), json!("default"));
    assert_eq!(shown(&json, "code_execution.timeout"), expected);
    let told = "config.yaml is not used: others than this user can change it; using the defaults";
    assert_eq!(json["warnings"], json!([told]));
}
