//! What a script sees of the host's environment.

use hermes_tests::Cli;

/// Prints the variables of those names.
fn show(names: &str) -> String {
    format!("import os\nfor name in '{names}'.split(): print(name, os.environ.get(name, '-'))")
}

fn run(code: &str) -> Cli {
    let python = std::env::var_os("HERMES_TEST_PYTHON");
    let cli = Cli::new(["run", "--mode", "project", "-c", code]);
    // The interpreter under test, as an active environment would give it.
    match python
        .and_then(|python| Some(std::path::Path::new(&python).ancestors().nth(2)?.to_owned()))
    {
        Some(root) => cli.env("VIRTUAL_ENV", root),
        None => cli,
    }
}

#[test]
fn secrets_stay_with_the_host_and_what_programs_need_is_there() {
    let names = "OPENAI_API_KEY GITHUB_TOKEN DB_PASSWORD SENTRY_DSN SLACK_WEBHOOK_URL HERMES_DB_URL HERMES_TIMEZONE PLAIN LANG XDG_X";
    let mut cli = run(&show(names));
    for name in names.split(' ') {
        cli = cli.env(name, "v");
    }
    cli.run().exits(0).prints(
        "OPENAI_API_KEY -\nGITHUB_TOKEN -\nDB_PASSWORD -\nSENTRY_DSN -\nSLACK_WEBHOOK_URL -\nHERMES_DB_URL -\nHERMES_TIMEZONE -\nPLAIN -\nLANG v\nXDG_X v\n",
    );
}

#[test]
fn what_the_runtime_itself_needs_is_not_left_in_the_environment() {
    let code = "import os\nprint(sorted(name for name in os.environ if name.startswith('HERMES_')))\nprint(os.environ['PYTHONUTF8'], os.environ['PYTHONDONTWRITEBYTECODE'], 'TZ' in os.environ)";
    run(code).env_remove("TZ").run().exits(0).prints(
        "['HERMES_HOME', 'HERMES_KERNEL_SPILL_DIR', 'HERMES_REAL_HOME', 'HERMES_RPC_PERSISTENT', 'HERMES_RPC_SOCKET', 'HERMES_RPC_TOKEN']\n1 1 False\n",
    );
}

#[test]
fn an_environment_without_a_usable_python_is_passed_over_at_once() {
    let place = tempfile::tempdir().unwrap();
    for folder in ["bin/python", "bin/python3"] {
        let path = place.path().join(folder);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "not a program").unwrap();
    }
    Cli::new(["run", "--mode", "project", "-c", "print(1)"])
        .env("VIRTUAL_ENV", place.path())
        .run()
        .exits(0)
        .prints("1\n");
}

#[test]
fn without_any_python_the_call_fails_with_a_result() {
    let ended = Cli::new(["run", "--mode", "project", "--json", "-c", "print(1)"])
        .env("PATH", "/no/such/directory")
        .env_remove("VIRTUAL_ENV")
        .env_remove("CONDA_PREFIX")
        .run();
    ended.exits(125).prints(
        "{\"status\":\"error\",\"error\":\"Python 3 is not available in the local terminal environment. Install Python 3.8 or newer, or activate an environment that has it, to use execute_code in project mode.\",\"tool_calls_made\":0,\"duration_seconds\":0}\n",
    );
}

#[test]
fn modules_of_the_user_do_not_stand_in_for_those_that_a_kernel_needs() {
    let place = tempfile::tempdir().unwrap();
    for name in [
        "resource",
        "_json",
        "_socket",
        "_functools",
        "select",
        "io",
        "json",
    ] {
        std::fs::write(place.path().join(format!("{name}.py")), "mine = True\n").unwrap();
    }
    for path in [place.path().to_str().unwrap(), "."] {
        let code = "import resource\nprint(resource.mine)\ntry: bytearray(300 << 20)\nexcept MemoryError: print('limited')";
        let arguments = [
            "run",
            "--mode",
            "project",
            "--memory-limit",
            "200MiB",
            "-c",
            code,
        ];
        Cli::new(arguments)
            .env("PYTHONPATH", path)
            .current_dir(place.path())
            .run()
            .exits(0)
            .prints("True\nlimited\n");
    }
}
