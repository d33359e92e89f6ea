use super::*;
use crate::runtime::{Runtime, RuntimeBuilder};
use crate::tools::ToolOptions;

/// Returns the tools' and project mode's options that a text comes to.
fn options(text: &str) -> (ToolOptions, ProjectOptions) {
    let config = Config::from_yaml(text);
    assert_eq!(config.warnings(), Vec::<String>::new(), "{text}");
    let resolved = config.resolved();
    let mut tools = ToolOptions::default();
    files(resolved, &mut tools.files);
    terminal(resolved, None, &mut tools.terminal);
    approvals(resolved, &mut tools.terminal);
    web(resolved, &mut tools.web);
    (tools, ProjectOptions::from(&config))
}

fn shown(builder: &RuntimeBuilder) -> String {
    format!("{builder:?}")
}

#[test]
fn a_configuration_that_says_nothing_changes_nothing() {
    let plain = shown(&Runtime::builder());
    let text = "web: {cache_enabled: true}\nterminal: {cwd: ~}\n";
    for config in [Config::default(), Config::from_yaml(text)] {
        assert_eq!(shown(&Runtime::builder().config(&config)), plain);
    }
}

#[test]
fn the_defaults_of_the_keys_are_those_of_the_options() {
    // An explicit `false` is another thing than none: it holds against the environment.
    let without = ["security.allow_private_urls", "security.redact_secrets"];
    let mut text = String::new();
    for setting in Config::default().settings() {
        if !setting.value.is_null() && !without.contains(&setting.key) {
            let mut nested = setting.value.to_string();
            for name in setting.key.rsplit('.') {
                nested = format!("{{{name}: {nested}}}");
            }
            text = nested;
            let config = Config::from_yaml(&text);
            let named = config.settings();
            let named = named.iter().find(|each| each.key == setting.key);
            assert!(
                named.is_some_and(|each| each.value == setting.value),
                "{text}"
            );
            let applied = shown(&Runtime::builder().config(&config));
            assert_eq!(applied, shown(&Runtime::builder()), "{text}");
        }
    }
    assert!(!text.is_empty());
}

#[test]
fn limits_of_cells_and_sessions_reach_the_builder() {
    let text = "code_execution: {timeout: 7, max_tool_calls: 8, max_session_kernels: 9, kernel_idle_timeout: 10}\nsecurity: {redact_secrets: false}";
    let expected = Runtime::builder()
        .timeout(Duration::from_secs(7))
        .max_tool_calls(8)
        .max_sessions(9)
        .session_idle(Duration::from_secs(10))
        .redact_secrets(false);
    let config = Config::from_yaml(text);
    assert_eq!(shown(&Runtime::builder().config(&config)), shown(&expected));
}

#[test]
fn project_mode_is_not_chosen_by_a_file_alone() {
    let config = Config::from_yaml("code_execution: {mode: project}");
    let builder = Runtime::builder();
    assert_eq!(shown(&builder), shown(&Runtime::builder().config(&config)));
    let followed = Runtime::builder().config(&config).mode(config.mode());
    let expected = Runtime::builder().mode(crate::guard::Mode::Project);
    assert_eq!(shown(&followed), shown(&expected));
}

#[test]
fn what_a_host_has_set_stays_unless_the_file_names_it() {
    let config = Config::from_yaml("terminal: {timeout: 7}\napprovals: {deny: [rm *]}");
    let builder = Runtime::builder()
        .timeout(Duration::from_secs(1))
        .change_tool_options(|tools| {
            tools.terminal.max_timeout = Duration::from_secs(8);
            tools.terminal.deny = vec!["dd *".to_owned()];
            tools.files.stale_overwrite_guard = true;
        });
    let expected = Runtime::builder()
        .timeout(Duration::from_secs(1))
        .change_tool_options(|tools| {
            tools.terminal.timeout = Duration::from_secs(7);
            tools.terminal.max_timeout = Duration::from_secs(8);
            tools.terminal.deny = vec!["dd *".to_owned(), "rm *".to_owned()];
            tools.files.stale_overwrite_guard = true;
        });
    assert_eq!(shown(&builder.config(&config)), shown(&expected));
}

#[test]
fn options_of_files_and_terminal_are_reached() {
    let (tools, _) = options(
        "tool_output: {max_bytes: 1, max_lines: 2, max_line_length: 3}\nfile_read_max_chars: 4\n\
         security: {protected_instruction_files: no}\n\
         terminal: {timeout: 5, max_foreground_timeout: 6}\napprovals: {mode: off, deny: [rm *]}\n",
    );
    assert_eq!(tools.terminal.max_output_chars, 1);
    assert_eq!(tools.files.max_lines, 2);
    assert_eq!(tools.files.max_line_length, 3);
    assert_eq!(tools.files.max_read_chars, 4);
    assert!(!tools.files.protect_instruction_files);
    assert_eq!(tools.terminal.timeout, Duration::from_secs(5));
    assert_eq!(tools.terminal.max_timeout, Duration::from_secs(6));
    assert!(tools.terminal.allow_dangerous);
    assert_eq!(tools.terminal.deny, ["rm *"]);
    for mode in ["smart", "manual"] {
        let (tools, _) = options(&format!("approvals: {{mode: {mode}}}"));
        assert!(!tools.terminal.allow_dangerous, "{mode}");
    }
}

#[test]
fn options_of_the_guards_are_reached() {
    let config = Config::from_yaml(
        "approvals: {mode: manual, timeout: 7, cron_mode: approve, single_query_mode: approve, unattended_mode: approve,\n  \
         denial_breaker_threshold: 2}\n",
    );
    assert_eq!(config.warnings(), Vec::<String>::new());
    let mut reached = GuardOptions::default();
    guards(config.resolved(), &mut reached);
    let expected = GuardOptions {
        mode: ApprovalMode::Manual,
        timeout: Duration::from_secs(7),
        cron: Unattended::Approve,
        single_query: Unattended::Approve,
        unattended: Unattended::Approve,
        denial_breaker_threshold: 2,
        ..GuardOptions::default()
    };
    assert_eq!(reached, expected);
}

#[test]
fn options_of_the_web_tools_are_reached() {
    let (tools, _) = options(
        "web: {backend: a, search_backend: b, extract_backend: http, extract_char_limit: 1, extract_timeout: 2, cache_ttl_minutes: 3}\n\
         security: {allow_private_urls: yes, fake_ip_ranges: [198.18.0.0/15],\n  \
         website_blocklist: {enabled: true, domains: [example.com], shared_files: [/a]}}\n",
    );
    let web = tools.web;
    assert_eq!(web.backend.as_deref(), Some("a"));
    assert_eq!(web.search_backend.as_deref(), Some("b"));
    assert_eq!(web.extract_backend.as_deref(), Some("http"));
    assert_eq!(web.extract_char_limit, 1);
    assert_eq!(web.extract_timeout, Duration::from_secs(2));
    assert_eq!(web.search_cache_ttl, Duration::from_mins(3));
    assert_eq!(web.allow_private_urls, Some(true));
    assert_eq!(web.fake_ip_ranges, ["198.18.0.0/15"]);
    assert!(web.website_blocklist.enabled);
    assert_eq!(web.website_blocklist.domains, ["example.com"]);
    assert_eq!(web.website_blocklist.shared_files, [PathBuf::from("/a")]);
    for text in [
        "web: {cache_enabled: false, cache_ttl_minutes: 5}",
        "web: {cache_ttl_minutes: 0}",
    ] {
        assert_eq!(
            options(text).0.web.search_cache_ttl,
            Duration::ZERO,
            "{text}"
        );
    }
}

#[test]
fn options_of_project_mode_are_reached() {
    let (_, project) = options(
        "terminal: {cwd: /a/b, env_passthrough: [MY_VAR], home_mode: profile}\ntimezone: Asia/Kolkata\n",
    );
    assert_eq!(project.cwd, Some(PathBuf::from("/a/b")));
    assert_eq!(project.env_passthrough, ["MY_VAR"]);
    assert_eq!(project.home_mode, HomeMode::Profile);
    assert_eq!(project.timezone.as_deref(), Some("Asia/Kolkata"));
    let (_, project) = options("terminal: {home_mode: REAL}\ntimezone: ''\n");
    assert_eq!(project.home_mode, HomeMode::Real);
    assert_eq!(project.timezone, None);
}

#[test]
fn a_shell_reads_the_files_that_are_named_and_else_what_is_asked_for() {
    let terminal = |yaml: &str| {
        let mut options = TerminalOptions::default();
        let file = Path::new("/data/hermes/config.yaml");
        super::terminal(Config::from_yaml(yaml).resolved(), Some(file), &mut options);
        (options.persistent_shell, options.init_files)
    };
    let bashrc = native::expand("~/.bashrc");
    for (yaml, is_persistent, files) in [
        ("{}", true, vec![]),
        ("terminal: {persistent_shell: false}", false, vec![]),
        ("terminal: {auto_source_bashrc: false}", true, vec![]),
        (
            "terminal: {auto_source_bashrc: true}",
            true,
            vec![bashrc.clone()],
        ),
        (
            "terminal: {auto_source_bashrc: true, shell_init_files: []}",
            true,
            vec![bashrc],
        ),
        (
            "terminal: {auto_source_bashrc: true, shell_init_files: [/a/b, ~/c, d/e]}",
            true,
            vec![
                PathBuf::from("/a/b"),
                native::expand("~/c"),
                PathBuf::from("/data/hermes/d/e"),
            ],
        ),
    ] {
        assert_eq!(terminal(yaml), (is_persistent, files), "{yaml}");
    }
}
