//! The effective values: each key with its type, its layers and its default, one struct for each part of the file.
//!
//! What a value does is decided elsewhere. Nothing here fails.

use std::time::Duration;

use globset::Glob;

use super::kind::{boolean, choice, seconds, size, text, time_zone, whole};
use super::mode::mode_or_strict;
use super::raw::RawConfig;
use super::reader::Reader;
use super::setting::{EffectiveSetting, Origin, Setting};
use super::yaml::Value;
use crate::guard::Mode;
use crate::net::IpRange;

/// Every effective value.
#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    pub(crate) code_execution: CodeExecution,
    pub(crate) terminal: Terminal,
    pub(crate) files: Files,
    pub(crate) web: Web,
    pub(crate) security: Security,
    pub(crate) approvals: Approvals,
    pub(crate) timezone: Setting<Option<String>>,
}

/// `code_execution.*`
#[derive(Debug, Clone)]
pub(crate) struct CodeExecution {
    pub(crate) mode: Setting<Mode>,
    pub(crate) timeout: Setting<Duration>,
    pub(crate) max_tool_calls: Setting<u64>,
    pub(crate) kernel_idle_timeout: Setting<Duration>,
    pub(crate) max_session_kernels: Setting<usize>,
}

/// `terminal.*`
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) backend: Setting<&'static str>,
    pub(crate) cwd: Setting<Option<String>>,
    pub(crate) timeout: Setting<Duration>,
    pub(crate) max_foreground_timeout: Setting<Duration>,
    pub(crate) env_passthrough: Setting<Vec<String>>,
    pub(crate) home_mode: Setting<&'static str>,
    pub(crate) persistent_shell: Setting<bool>,
    pub(crate) auto_source_bashrc: Setting<bool>,
    pub(crate) shell_init_files: Setting<Vec<String>>,
}

/// `tool_output.*` and `file_read_max_chars`
#[derive(Debug, Clone)]
pub(crate) struct Files {
    pub(crate) max_bytes: Setting<usize>,
    pub(crate) max_lines: Setting<u64>,
    pub(crate) max_line_length: Setting<usize>,
    pub(crate) file_read_max_chars: Setting<usize>,
}

/// `web.*`
#[derive(Debug, Clone)]
pub(crate) struct Web {
    pub(crate) backend: Setting<Option<String>>,
    pub(crate) search_backend: Setting<Option<String>>,
    pub(crate) extract_backend: Setting<Option<String>>,
    pub(crate) extract_char_limit: Setting<usize>,
    pub(crate) extract_timeout: Setting<Duration>,
    pub(crate) cache_enabled: Setting<bool>,
    pub(crate) cache_ttl_minutes: Setting<u64>,
}

/// `security.*`
#[derive(Debug, Clone)]
pub(crate) struct Security {
    pub(crate) redact_secrets: Setting<bool>,
    pub(crate) allow_private_urls: Setting<bool>,
    pub(crate) fake_ip_ranges: Setting<Vec<String>>,
    pub(crate) blocklist_enabled: Setting<bool>,
    pub(crate) blocklist_domains: Setting<Vec<String>>,
    pub(crate) blocklist_files: Setting<Vec<String>>,
    pub(crate) protected_instruction_files: Setting<bool>,
    pub(crate) protected_instruction_patterns: Setting<Vec<String>>,
}

/// `approvals.*`
#[derive(Debug, Clone)]
pub(crate) struct Approvals {
    pub(crate) mode: Setting<&'static str>,
    pub(crate) timeout: Setting<Duration>,
    pub(crate) cron_mode: Setting<&'static str>,
    pub(crate) single_query_mode: Setting<&'static str>,
    pub(crate) unattended_mode: Setting<&'static str>,
    pub(crate) denial_breaker_threshold: Setting<u64>,
    pub(crate) deny: Setting<Vec<String>>,
}

impl Resolved {
    /// Reads every key; the second part of the answer is what was wrong.
    pub(super) fn read(
        raw: &RawConfig,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> (Self, Vec<String>) {
        let mut reader = Reader::new(raw, environment);
        let resolved = Self {
            code_execution: CodeExecution::read(&mut reader),
            terminal: Terminal::read(&mut reader),
            files: Files::read(&mut reader),
            web: Web::read(&mut reader),
            security: Security::read(&mut reader),
            approvals: Approvals::read(&mut reader),
            timezone: reader.variable("timezone", "HERMES_TIMEZONE", &time_zone(), None),
        };
        (resolved, reader.finish())
    }

    /// Returns every value as it can be shown, in the order of the file's parts.
    pub(super) fn effective(&self) -> Vec<EffectiveSetting> {
        let Self {
            code_execution,
            terminal,
            files,
            web,
            security,
            approvals,
            timezone,
        } = self;
        let mut all = code_execution.effective();
        all.extend(terminal.effective());
        all.extend(files.effective());
        all.extend(web.effective());
        all.extend(security.effective());
        all.extend(approvals.effective());
        all.push(timezone.effective());
        all
    }
}

impl CodeExecution {
    fn read(reader: &mut Reader<'_>) -> Self {
        reader.retired("code_execution.kernel_mode");
        Self {
            mode: mode(reader),
            timeout: reader.file("code_execution.timeout", &seconds(), Duration::from_mins(5)),
            // Zero is a limit too, the strictest.
            max_tool_calls: reader.file("code_execution.max_tool_calls", &whole(0), 50),
            kernel_idle_timeout: reader.file(
                "code_execution.kernel_idle_timeout",
                &seconds(),
                Duration::from_mins(30),
            ),
            max_session_kernels: reader.file("code_execution.max_session_kernels", &size(), 4),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.mode.effective(),
            self.timeout.effective(),
            self.max_tool_calls.effective(),
            self.kernel_idle_timeout.effective(),
            self.max_session_kernels.effective(),
        ]
    }
}

/// Reads the mode, which nothing but its own name may make less safe: what is broken is strict, also where another layer says more.
fn mode(reader: &mut Reader<'_>) -> Setting<Mode> {
    const KEY: &str = "code_execution.mode";
    const VARIABLE: &str = "HERMES_EXEC_MODE";
    let kind = choice(&["strict", "project"]).map(mode_or_strict);
    match reader.environment(VARIABLE) {
        Some(name) if Mode::from_name(&name).is_none() => {
            let expected = &kind.expected;
            reader.warn(format!(
                "the environment variable `{VARIABLE}` for `{KEY}` is a text; expected {expected}; using strict"
            ));
            Setting {
                key: KEY,
                value: Mode::Strict,
                origin: Origin::Environment(VARIABLE),
            }
        }
        _ => reader.variable(KEY, VARIABLE, &kind, Mode::Strict),
    }
}

impl Terminal {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            backend: reader.variable(
                "terminal.backend",
                "TERMINAL_ENV",
                &choice(&["local"]),
                "local",
            ),
            cwd: reader.variable("terminal.cwd", "TERMINAL_CWD", &text(), None),
            timeout: reader.variable(
                "terminal.timeout",
                "TERMINAL_TIMEOUT",
                &seconds(),
                Duration::from_mins(3),
            ),
            max_foreground_timeout: reader.variable(
                "terminal.max_foreground_timeout",
                "TERMINAL_MAX_FOREGROUND_TIMEOUT",
                &seconds(),
                Duration::from_mins(10),
            ),
            env_passthrough: reader
                .texts_or_variable("terminal.env_passthrough", "TERMINAL_ENV_PASSTHROUGH"),
            home_mode: reader.variable(
                "terminal.home_mode",
                "TERMINAL_HOME_MODE",
                &choice(&["auto", "real", "profile"]),
                "auto",
            ),
            persistent_shell: reader.file("terminal.persistent_shell", &boolean(), true),
            // The files of interactive shells bring back what the environment of commands is kept free of.
            auto_source_bashrc: reader.file("terminal.auto_source_bashrc", &boolean(), false),
            shell_init_files: reader.texts("terminal.shell_init_files"),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.backend.effective(),
            self.cwd.effective(),
            self.timeout.effective(),
            self.max_foreground_timeout.effective(),
            self.env_passthrough.effective(),
            self.home_mode.effective(),
            self.persistent_shell.effective(),
            self.auto_source_bashrc.effective(),
            self.shell_init_files.effective(),
        ]
    }
}

impl Files {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            max_bytes: reader.file("tool_output.max_bytes", &size(), 50_000),
            max_lines: reader.file("tool_output.max_lines", &whole(1), 2_000),
            max_line_length: reader.file("tool_output.max_line_length", &size(), 2_000),
            file_read_max_chars: reader.file("file_read_max_chars", &size(), 100_000),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.max_bytes.effective(),
            self.max_lines.effective(),
            self.max_line_length.effective(),
            self.file_read_max_chars.effective(),
        ]
    }
}

impl Web {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            backend: reader.file("web.backend", &text(), None),
            search_backend: reader.file("web.search_backend", &text(), None),
            extract_backend: reader.file("web.extract_backend", &text(), None),
            extract_char_limit: reader.file("web.extract_char_limit", &size(), 15_000),
            extract_timeout: reader.file("web.extract_timeout", &seconds(), Duration::from_mins(2)),
            cache_enabled: reader.file("web.cache_enabled", &boolean(), true),
            cache_ttl_minutes: reader.file("web.cache_ttl_minutes", &whole(0), 20),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.backend.effective(),
            self.search_backend.effective(),
            self.extract_backend.effective(),
            self.extract_char_limit.effective(),
            self.extract_timeout.effective(),
            self.cache_enabled.effective(),
            self.cache_ttl_minutes.effective(),
        ]
    }
}

impl Security {
    fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            redact_secrets: redact_secrets(reader),
            allow_private_urls: allow_private_urls(reader),
            fake_ip_ranges: reader.texts_of(
                "security.fake_ip_ranges",
                "a range of addresses such as 198.18.0.0/15",
                |text| text.parse::<IpRange>().is_ok(),
            ),
            blocklist_enabled: reader.file("security.website_blocklist.enabled", &boolean(), false),
            blocklist_domains: reader.texts("security.website_blocklist.domains"),
            blocklist_files: reader.texts("security.website_blocklist.shared_files"),
            protected_instruction_files: reader.file(
                "security.protected_instruction_files",
                &boolean(),
                true,
            ),
            protected_instruction_patterns: reader.texts_of(
                "security.protected_instruction_extra_patterns",
                "a glob such as *.rules",
                |text| Glob::new(text).is_ok(),
            ),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.redact_secrets.effective(),
            self.allow_private_urls.effective(),
            self.fake_ip_ranges.effective(),
            self.blocklist_enabled.effective(),
            self.blocklist_domains.effective(),
            self.blocklist_files.effective(),
            self.protected_instruction_files.effective(),
            self.protected_instruction_patterns.effective(),
        ]
    }
}

/// Reads the switch of redaction: in the environment whatever does not switch it off leaves it on.
fn redact_secrets(reader: &mut Reader<'_>) -> Setting<bool> {
    const VARIABLE: &str = "HERMES_REDACT_SECRETS";
    let mut setting = reader.file("security.redact_secrets", &boolean(), true);
    if let Some(word) = reader.environment(VARIABLE) {
        let is_on = (boolean().coerce)(&Value::Text(word)).unwrap_or(true);
        setting.set(is_on, Origin::Environment(VARIABLE));
    }
    setting
}

/// Reads whether private addresses are allowed: here the file comes first, and the environment knows three words.
fn allow_private_urls(reader: &mut Reader<'_>) -> Setting<bool> {
    const VARIABLE: &str = "HERMES_ALLOW_PRIVATE_URLS";
    let mut setting = reader.file("security.allow_private_urls", &boolean(), false);
    if setting.origin == Origin::Default
        && let Some(word) = reader.environment(VARIABLE)
    {
        let word = word.trim().to_ascii_lowercase();
        let is_allowed = matches!(word.as_str(), "true" | "1" | "yes");
        setting.set(is_allowed, Origin::Environment(VARIABLE));
    }
    setting
}

impl Approvals {
    fn read(reader: &mut Reader<'_>) -> Self {
        let unattended = choice(&["deny", "approve"]);
        Self {
            mode: reader.file(
                "approvals.mode",
                &choice(&["smart", "manual", "off"]),
                "smart",
            ),
            timeout: reader.file("approvals.timeout", &seconds(), Duration::from_mins(5)),
            cron_mode: reader.file("approvals.cron_mode", &unattended, "deny"),
            single_query_mode: reader.file("approvals.single_query_mode", &unattended, "deny"),
            unattended_mode: reader.file("approvals.unattended_mode", &unattended, "deny"),
            denial_breaker_threshold: reader.file(
                "approvals.denial_breaker_threshold",
                &whole(1),
                3,
            ),
            deny: reader.texts("approvals.deny"),
        }
    }

    fn effective(&self) -> Vec<EffectiveSetting> {
        vec![
            self.mode.effective(),
            self.timeout.effective(),
            self.cron_mode.effective(),
            self.single_query_mode.effective(),
            self.unattended_mode.effective(),
            self.denial_breaker_threshold.effective(),
            self.deny.effective(),
        ]
    }
}
