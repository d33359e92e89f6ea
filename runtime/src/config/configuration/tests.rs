#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Returns the value and origin of a key, and the warnings, with a text for the file and pairs for the environment.
fn read(text: &str, variables: &[(&str, &str)], key: &str) -> (Value, String, Vec<String>) {
    let environment = |name: &str| {
        let found = variables.iter().find(|(each, _)| *each == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    let config = Config::from_text(text, &environment);
    let settings = config.settings();
    let setting = settings.iter().find(|setting| setting.key == key);
    let setting = setting.unwrap_or_else(|| panic!("{key} is not among the settings"));
    (
        setting.value.clone(),
        setting.origin.to_string(),
        config.warnings.clone(),
    )
}

/// Writes a dotted key with a value as YAML.
fn yaml(key: &str, value: &str) -> String {
    let mut text = value.to_owned();
    for name in key.rsplit('.') {
        text = format!("{{{name}: {text}}}");
    }
    text
}

/// A key with its default, and with pairs of what stands in the file and what that comes to.
type Row = (
    &'static str,
    Value,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

/// Broken values of each kind of key.
const NO_SIZE: &[&str] = &[
    "0",
    "-1",
    "[1]",
    "{a: 1}",
    "true",
    "many",
    "1000000001",
    ".nan",
    ".inf",
];
const NO_COUNT: &[&str] = &["-1", "[]", "{}", "false", "many"];
const NO_BOOLEAN: &[&str] = &["2", "maybe", "[true]", "{}", "1.0", "''"];
const NO_TEXT: &[&str] = &["5", "true", "[a]", "{a: b}", "2.5"];
const NO_LIST: &[&str] = &["5", "true", "{a: b}", "2.5"];
const NO_WORD: &[&str] = &["bogus", "3", "[strict]", "{}", "true", "''"];

const SIZES: &[(&str, &str)] = &[
    ("7", "7"),
    ("' 8 '", "8"),
    ("9.0", "9"),
    ("2.9", "2"),
    ("0x10", "16"),
];
const BOOLEANS: &[(&str, &str)] = &[
    ("true", "true"),
    ("no", "false"),
    ("'Off'", "false"),
    ("1", "true"),
    ("' YES '", "true"),
];
const TEXTS: &[(&str, &str)] = &[("' exa '", "\"exa\""), ("exa", "\"exa\""), ("''", "null")];
const LISTS: &[(&str, &str)] = &[
    ("[]", "[]"),
    ("[a, ' b ']", "[\"a\",\"b\"]"),
    ("a", "[\"a\"]"),
    ("[a, ~, '']", "[\"a\"]"),
];
const UNATTENDED: &[(&str, &str)] = &[("approve", "\"approve\""), ("' DENY '", "\"deny\"")];

fn rows() -> Vec<Row> {
    vec![
        (
            "code_execution.mode",
            json!("strict"),
            &[("PROJECT", "\"project\""), ("' strict '", "\"strict\"")],
            NO_WORD,
        ),
        ("code_execution.timeout", json!(300), SIZES, NO_SIZE),
        (
            "code_execution.max_tool_calls",
            json!(50),
            &[("0", "0"), ("7", "7"), ("'8'", "8")],
            NO_COUNT,
        ),
        (
            "code_execution.kernel_idle_timeout",
            json!(1800),
            SIZES,
            NO_SIZE,
        ),
        (
            "code_execution.max_session_kernels",
            json!(4),
            SIZES,
            NO_SIZE,
        ),
        (
            "terminal.backend",
            json!("local"),
            &[("Local", "\"local\"")],
            &["docker", "5", "[]"],
        ),
        ("terminal.cwd", Value::Null, TEXTS, NO_TEXT),
        ("terminal.timeout", json!(180), SIZES, NO_SIZE),
        (
            "terminal.max_foreground_timeout",
            json!(600),
            SIZES,
            NO_SIZE,
        ),
        ("terminal.env_passthrough", json!([]), LISTS, NO_LIST),
        (
            "terminal.home_mode",
            json!("auto"),
            &[("Real", "\"real\""), ("profile", "\"profile\"")],
            NO_WORD,
        ),
        (
            "terminal.persistent_shell",
            json!(true),
            BOOLEANS,
            NO_BOOLEAN,
        ),
        (
            "terminal.auto_source_bashrc",
            json!(false),
            BOOLEANS,
            NO_BOOLEAN,
        ),
        ("terminal.shell_init_files", json!([]), LISTS, NO_LIST),
        ("tool_output.max_bytes", json!(50_000), SIZES, NO_SIZE),
        ("tool_output.max_lines", json!(2_000), SIZES, NO_SIZE),
        ("tool_output.max_line_length", json!(2_000), SIZES, NO_SIZE),
        ("file_read_max_chars", json!(100_000), SIZES, NO_SIZE),
        ("web.backend", Value::Null, TEXTS, NO_TEXT),
        ("web.search_backend", Value::Null, TEXTS, NO_TEXT),
        ("web.extract_backend", Value::Null, TEXTS, NO_TEXT),
        ("web.extract_char_limit", json!(15_000), SIZES, NO_SIZE),
        ("web.extract_timeout", json!(120), SIZES, NO_SIZE),
        ("web.cache_enabled", json!(true), BOOLEANS, NO_BOOLEAN),
        (
            "web.cache_ttl_minutes",
            json!(20),
            &[("0", "0"), ("7", "7")],
            NO_COUNT,
        ),
        ("security.redact_secrets", json!(true), BOOLEANS, NO_BOOLEAN),
        (
            "security.allow_private_urls",
            json!(false),
            BOOLEANS,
            NO_BOOLEAN,
        ),
        (
            "security.fake_ip_ranges",
            json!([]),
            &[("[198.18.0.0/15]", "[\"198.18.0.0/15\"]")],
            NO_LIST,
        ),
        (
            "security.website_blocklist.enabled",
            json!(false),
            BOOLEANS,
            NO_BOOLEAN,
        ),
        (
            "security.website_blocklist.domains",
            json!([]),
            LISTS,
            NO_LIST,
        ),
        (
            "security.website_blocklist.shared_files",
            json!([]),
            LISTS,
            NO_LIST,
        ),
        (
            "security.protected_instruction_files",
            json!(true),
            BOOLEANS,
            NO_BOOLEAN,
        ),
        (
            "security.protected_instruction_extra_patterns",
            json!([]),
            LISTS,
            NO_LIST,
        ),
        (
            "approvals.mode",
            json!("smart"),
            &[
                ("off", "\"off\""),
                ("'OFF'", "\"off\""),
                ("manual", "\"manual\""),
            ],
            NO_WORD,
        ),
        ("approvals.timeout", json!(300), SIZES, NO_SIZE),
        ("approvals.cron_mode", json!("deny"), UNATTENDED, NO_WORD),
        (
            "approvals.single_query_mode",
            json!("deny"),
            UNATTENDED,
            NO_WORD,
        ),
        (
            "approvals.unattended_mode",
            json!("deny"),
            UNATTENDED,
            NO_WORD,
        ),
        (
            "approvals.denial_breaker_threshold",
            json!(3),
            SIZES,
            NO_SIZE,
        ),
        ("approvals.deny", json!([]), LISTS, NO_LIST),
        (
            "timezone",
            Value::Null,
            &[("Asia/Kolkata", "\"Asia/Kolkata\""), ("''", "null")],
            &["../etc", "5", "[UTC]", "a b"],
        ),
    ]
}

#[test]
fn the_table_has_every_key() {
    let settings = Config::default().settings();
    let keys: Vec<_> = settings.iter().map(|setting| setting.key).collect();
    let expected: Vec<_> = rows().into_iter().map(|(key, ..)| key).collect();
    assert_eq!(keys, expected);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
}

#[test]
fn every_key_has_its_default_where_nothing_or_null_stands() {
    for (key, default, ..) in rows() {
        for text in [String::new(), yaml(key, "~")] {
            let expected = (default.clone(), "default".to_owned(), vec![]);
            assert_eq!(read(&text, &[], key), expected, "{text}");
        }
    }
}

#[test]
fn every_key_takes_what_can_be_read_as_its_type() {
    for (key, _, good, _) in rows() {
        for (value, json) in good {
            let text = yaml(key, value);
            let expected = serde_json::from_str(json).unwrap();
            let expected = (expected, "config.yaml".to_owned(), vec![]);
            assert_eq!(read(&text, &[], key), expected, "{text}");
        }
    }
}

#[test]
fn a_broken_value_is_the_default_and_a_warning_without_the_value() {
    for (key, default, _, broken) in rows() {
        for value in broken {
            let text = yaml(key, value);
            let (found, origin, warnings) = read(&text, &[], key);
            assert_eq!(
                (found, origin.as_str()),
                (default.clone(), "default"),
                "{text}"
            );
            let [warning] = warnings.as_slice() else {
                panic!("{text}: {warnings:?}")
            };
            let start = format!("`{key}` in config.yaml is a");
            let end = format!("; using the default, {default}");
            assert!(
                warning.starts_with(&start)
                    && warning.contains("; expected ")
                    && warning.ends_with(&end),
                "{text}: {warning}"
            );
        }
    }
}

#[test]
fn a_warning_names_the_type_and_what_it_should_be() {
    let rows = [
        (
            "code_execution: {timeout: [1]}",
            "`code_execution.timeout` in config.yaml is a list; expected a whole number from 1 to 1000000000 (seconds); using the default, 300",
        ),
        (
            "code_execution: {mode: 3}",
            "`code_execution.mode` in config.yaml is an integer; expected one of `strict`, `project`; using the default, \"strict\"",
        ),
        (
            "approvals: {deny: [rm *, {a: b}]}",
            "an entry of `approvals.deny` in config.yaml is a mapping; expected a text; leaving it out",
        ),
        (
            "terminal: [a]",
            "`terminal` in config.yaml is a list; expected a mapping; using the defaults of its keys",
        ),
        (
            "security: {website_blocklist: [example.com]}",
            "`security.website_blocklist` in config.yaml is a list; expected a mapping; using the defaults of its keys",
        ),
        (
            "security: {protected_instruction_extra_patterns: [TEAM.md, '[']}",
            "an entry of `security.protected_instruction_extra_patterns` in config.yaml is a text; expected a glob such as *.rules; leaving it out",
        ),
        (
            "security: {fake_ip_ranges: [198.18.0.0/15, 198.18.0.0/x]}",
            "an entry of `security.fake_ip_ranges` in config.yaml is a text; expected a range of addresses such as 198.18.0.0/15; leaving it out",
        ),
        (
            "a: b\n c: d",
            "config.yaml is not used: not readable as YAML: line 2: mapping values are not allowed in this context; using the defaults",
        ),
        (
            "- a",
            "config.yaml is not used: it is a list and not a mapping; using the defaults",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(Config::from_yaml(text).warnings(), [expected], "{text}");
    }
}

#[test]
fn what_is_good_in_a_list_of_refusals_outlives_what_is_broken() {
    let (value, origin, _) = read("approvals: {deny: [rm *, 5, dd *]}", &[], "approvals.deny");
    assert_eq!(
        (value, origin.as_str()),
        (json!(["rm *", "dd *"]), "config.yaml")
    );
}

#[test]
fn foreign_and_retired_keys_are_ignored() {
    let text = "model: {name: x}\nplugins: [a]\ncode_execution: {kernel_mode: per-call}\nweb: {colour: red}\n";
    assert_eq!(Config::from_yaml(text).warnings(), Vec::<String>::new());
}

#[test]
fn the_environment_comes_before_the_file_and_a_broken_variable_does_not_count() {
    let rows = [
        ("terminal.timeout", "TERMINAL_TIMEOUT", "7", "20", json!(20)),
        (
            "terminal.max_foreground_timeout",
            "TERMINAL_MAX_FOREGROUND_TIMEOUT",
            "7",
            "20",
            json!(20),
        ),
        ("terminal.cwd", "TERMINAL_CWD", "/a", "/b", json!("/b")),
        (
            "terminal.home_mode",
            "TERMINAL_HOME_MODE",
            "real",
            "profile",
            json!("profile"),
        ),
        (
            "terminal.env_passthrough",
            "TERMINAL_ENV_PASSTHROUGH",
            "[a]",
            "[\"b\", \"c\"]",
            json!(["b", "c"]),
        ),
        (
            "terminal.backend",
            "TERMINAL_ENV",
            "local",
            "local",
            json!("local"),
        ),
        (
            "timezone",
            "HERMES_TIMEZONE",
            "UTC",
            "Asia/Kolkata",
            json!("Asia/Kolkata"),
        ),
        (
            "code_execution.mode",
            "HERMES_EXEC_MODE",
            "strict",
            " Project ",
            json!("project"),
        ),
        (
            "code_execution.mode",
            "HERMES_EXEC_MODE",
            "project",
            "strict",
            json!("strict"),
        ),
        (
            "security.redact_secrets",
            "HERMES_REDACT_SECRETS",
            "true",
            "off",
            json!(false),
        ),
        (
            "security.redact_secrets",
            "HERMES_REDACT_SECRETS",
            "false",
            "whatever",
            json!(true),
        ),
    ];
    for (key, variable, in_file, in_environment, expected) in rows {
        let text = yaml(key, in_file);
        let origin = format!("environment: {variable}");
        let found = read(&text, &[(variable, in_environment)], key);
        assert_eq!(found, (expected, origin, vec![]), "{text} {in_environment}");
        let (_, origin, _) = read(&text, &[(variable, " ")], key);
        assert_eq!(origin, "config.yaml", "an empty {variable}");
    }
    let found = read(
        "terminal: {timeout: 7}",
        &[("TERMINAL_TIMEOUT", "soon")],
        "terminal.timeout",
    );
    let warning = "the environment variable `TERMINAL_TIMEOUT` for `terminal.timeout` is a text; expected a whole number from 1 to 1000000000 (seconds); using 7";
    assert_eq!(
        found,
        (json!(7), "config.yaml".to_owned(), vec![warning.to_owned()])
    );
}

#[test]
fn an_unknown_mode_in_the_environment_is_strict_whatever_the_file_says() {
    let (value, origin, warnings) = read(
        "code_execution: {mode: project}",
        &[("HERMES_EXEC_MODE", "bogus")],
        "code_execution.mode",
    );
    assert_eq!(value, json!("strict"));
    assert_eq!(origin, "environment: HERMES_EXEC_MODE");
    assert_eq!(
        warnings,
        [
            "the environment variable `HERMES_EXEC_MODE` for `code_execution.mode` is a text; expected one of `strict`, `project`; using strict"
        ]
    );
}

#[test]
fn the_file_decides_about_private_addresses_before_the_environment() {
    const KEY: &str = "security.allow_private_urls";
    const VARIABLE: &str = "HERMES_ALLOW_PRIVATE_URLS";
    let rows = [
        ("", "YES", true, "environment: HERMES_ALLOW_PRIVATE_URLS"),
        ("", "on", false, "environment: HERMES_ALLOW_PRIVATE_URLS"),
        (
            "security: {allow_private_urls: false}",
            "true",
            false,
            "config.yaml",
        ),
        (
            "security: {allow_private_urls: true}",
            "false",
            true,
            "config.yaml",
        ),
    ];
    for (text, word, expected, origin) in rows {
        let found = read(text, &[(VARIABLE, word)], KEY);
        assert_eq!(
            found,
            (json!(expected), origin.to_owned(), vec![]),
            "{text} {word}"
        );
    }
}

#[test]
fn what_a_host_says_comes_before_everything() {
    let config = Config::from_text(
        "code_execution: {mode: project, timeout: 9, max_tool_calls: 9, max_session_kernels: 9, kernel_idle_timeout: 9}",
        &|_| Some("project".to_owned()),
    );
    let config = config
        .with_mode(Mode::Strict)
        .with_timeout(Duration::from_millis(2_500))
        .with_max_tool_calls(0)
        .with_max_sessions(2)
        .with_session_idle(Duration::from_secs(1));
    let settings = config.settings();
    let cells: Vec<_> = settings
        .iter()
        .take(5)
        .map(|setting| (setting.value.clone(), setting.origin))
        .collect();
    let expected = [json!("strict"), json!(2.5), json!(0), json!(1), json!(2)];
    assert_eq!(cells, expected.map(|value| (value, Origin::CommandLine)));
    assert_eq!(config.mode_origin(), Origin::CommandLine);
}

#[test]
fn secrets_in_texts_are_not_shown() {
    let secret = "sk-proj-abcdefghijklmnopqrstuv";
    let text = format!(
        "approvals: {{deny: ['curl *{secret}*']}}\nterminal: {{cwd: '/a/{secret}', timeout: {secret}}}\n{secret}: [\n"
    );
    let broken = Config::from_yaml(&text);
    let (good, _) = text.rsplit_once(secret).unwrap();
    for config in [broken, Config::from_yaml(good)] {
        let shown = format!("{:?}{:?}", config.settings(), config.warnings());
        assert!(!shown.contains("abcdefgh"), "{shown}");
        assert!(!config.warnings().is_empty());
    }
}

#[test]
fn a_missing_file_is_silent_and_one_that_cannot_be_read_is_told() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("config.yaml");
    let load = || Config::from_file(&path, &|_| None);
    assert_eq!(load().warnings(), Vec::<String>::new());
    fs::create_dir(&path).unwrap();
    assert_eq!(
        load().warnings(),
        ["config.yaml is not used: it is no regular file; using the defaults"]
    );
    assert_eq!(load().settings(), Config::default().settings());
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_change_is_not_used() {
    use std::os::unix::fs::PermissionsExt;

    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("config.yaml");
    fs::write(
        &path,
        "code_execution: {mode: project}\napprovals: {mode: off}",
    )
    .unwrap();
    let load = |mode: u32| {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        Config::from_file(&path, &|_| None)
    };
    assert_eq!(load(0o644).mode(), Mode::Project);
    let open = load(0o646);
    assert_eq!(open.settings(), Config::default().settings());
    assert_eq!(
        open.warnings(),
        ["config.yaml is not used: others than this user can change it; using the defaults"]
    );
}

/// Returns texts that have the form of a configuration as often as not.
fn texts() -> impl Strategy<Value = String> {
    let key = prop::sample::select(rows().into_iter().map(|(key, ..)| key).collect::<Vec<_>>());
    let value = prop_oneof![
        "[-+.0-9a-z_:'\"\\[\\]{}&*!|>, ]{0,12}",
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        any::<String>().prop_map(|text| Value::from(text).to_string()),
    ];
    let entry = (key, value).prop_map(|(key, value)| yaml(key, &value));
    prop_oneof![
        any::<String>(),
        entry,
        "[-?:,\\[\\]{}#&*!|>'\"%@` \n\ta-c0-9<~]{0,60}",
        "((code_execution|terminal|web|security|approvals): ?\n? {0,3}(mode|timeout|deny|backend)?:? ?[a-z0-9\\[{~&*]{0,6}\n){0,5}",
    ]
}

proptest! {
    #[test]
    fn any_text_gives_a_configuration(text in texts()) {
        let config = Config::from_text(&text, &|_| None);
        prop_assert_eq!(config.settings().len(), rows().len());
    }

    #[test]
    fn any_environment_gives_a_configuration(value in any::<String>()) {
        let config = Config::from_text("", &|_| Some(value.clone()));
        prop_assert_eq!(config.settings().len(), rows().len());
        let is_project = value.trim().eq_ignore_ascii_case("project");
        prop_assert_eq!(config.mode() == Mode::Project, is_project);
    }
}

#[test]
fn a_text_with_a_nul_is_left_out_of_every_list() {
    for key in [
        "terminal.shell_init_files",
        "terminal.env_passthrough",
        "security.website_blocklist.domains",
        "security.website_blocklist.shared_files",
        "approvals.deny",
    ] {
        for (nested, left) in [("\"a\\0b\"", json!([])), ("[c, \"a\\0b\"]", json!(["c"]))] {
            let mut nested = nested.to_owned();
            for name in key.rsplit('.') {
                nested = format!("{{{name}: {nested}}}");
            }
            let config = Config::from_yaml(&nested);
            let settings = config.settings();
            let setting = settings.iter().find(|each| each.key == key).unwrap();
            assert_eq!(setting.value, left, "{nested}");
            let told = format!(
                "an entry of `{key}` in config.yaml is a text with a NUL character; expected a text; leaving it out"
            );
            assert_eq!(config.warnings(), [told]);
        }
    }
}
