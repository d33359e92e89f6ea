//! Where a configuration's values go: one function for each struct of options.
//!
//! Only what a configuration names is applied; an option keeps its value where nothing names another.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::{Config, Resolved, Setting};
use crate::engine::native::{self, HomeMode, ProjectOptions};
use crate::guard::{ApprovalMode, GuardOptions, Unattended};
use crate::tools::{FileOptions, TerminalOptions, WebOptions};

/// The word of `approvals.mode` for: ask nobody, and run it.
const APPROVALS_OFF: &str = "off";

/// Applies `tool_output.max_lines`, `tool_output.max_line_length`, `file_read_max_chars`, `security.protected_instruction_files` and
/// `security.protected_instruction_extra_patterns`.
pub(super) fn files(config: &Resolved, options: &mut FileOptions) {
    apply(config.files.max_lines.named(), &mut options.max_lines);
    apply(
        config.files.max_line_length.named(),
        &mut options.max_line_length,
    );
    apply(
        config.files.file_read_max_chars.named(),
        &mut options.max_read_chars,
    );
    apply(
        config.security.protected_instruction_files.named(),
        &mut options.protect_instruction_files,
    );
    apply(
        config.security.protected_instruction_patterns.named(),
        &mut options.protected_instruction_patterns,
    );
}

/// What an interactive bash reads.
const BASHRC: &str = "~/.bashrc";

/// Applies `tool_output.max_bytes` and what `terminal.*` has for commands; files are named as of the directory of the configuration's own file.
pub(super) fn terminal(config: &Resolved, file: Option<&Path>, options: &mut TerminalOptions) {
    apply(config.terminal.timeout.named(), &mut options.timeout);
    apply(
        config.terminal.max_foreground_timeout.named(),
        &mut options.max_timeout,
    );
    apply(
        config.files.max_bytes.named(),
        &mut options.max_output_chars,
    );
    apply(
        config.terminal.persistent_shell.named(),
        &mut options.persistent_shell,
    );
    let directory = file.and_then(Path::parent).unwrap_or(Path::new(""));
    let found = |name: &str| directory.join(native::expand(name));
    let files = config.terminal.shell_init_files.named();
    let is_bashrc_read = config.terminal.auto_source_bashrc.named() == Some(&true);
    match files {
        Some(files) if !files.is_empty() => {
            options.init_files = files.iter().map(|name| found(name)).collect();
        }
        _ if is_bashrc_read => options.init_files = vec![found(BASHRC)],
        _ => {}
    }
}

/// Applies `approvals.*` to the guards of scripts.
pub(super) fn guards(config: &Resolved, options: &mut GuardOptions) {
    let approvals = &config.approvals;
    let unattended = |setting: &Setting<&'static str>, option: &mut Unattended| {
        let named = setting.named().copied().and_then(Unattended::from_name);
        apply(named.as_ref(), option);
    };
    let mode = approvals.mode.named().copied();
    apply(
        mode.and_then(ApprovalMode::from_name).as_ref(),
        &mut options.mode,
    );
    apply(approvals.timeout.named(), &mut options.timeout);
    unattended(&approvals.cron_mode, &mut options.cron);
    unattended(&approvals.single_query_mode, &mut options.single_query);
    unattended(&approvals.unattended_mode, &mut options.unattended);
    if let Some(refusals) = approvals.denial_breaker_threshold.named() {
        options.denial_breaker_threshold = u32::try_from(*refusals).unwrap_or(u32::MAX);
    }
}

/// Applies `approvals.*` to the commands of `terminal`.
pub(super) fn approvals(config: &Resolved, options: &mut TerminalOptions) {
    let mode = config.approvals.mode.named();
    if let Some(mode) = mode {
        options.allow_dangerous = *mode == APPROVALS_OFF;
    }
    // What the host itself refuses stays refused.
    options
        .deny
        .extend(config.approvals.deny.value.iter().cloned());
}

/// Applies `web.*` and what `security.*` has for the web tools.
pub(super) fn web(config: &Resolved, options: &mut WebOptions) {
    let (web, security) = (&config.web, &config.security);
    apply(web.backend.named(), &mut options.backend);
    apply(web.search_backend.named(), &mut options.search_backend);
    apply(web.extract_backend.named(), &mut options.extract_backend);
    apply(
        web.extract_char_limit.named(),
        &mut options.extract_char_limit,
    );
    apply(web.extract_timeout.named(), &mut options.extract_timeout);
    if let Some(minutes) = web.cache_ttl_minutes.named() {
        options.search_cache_ttl = Duration::from_secs(minutes.saturating_mul(60));
    }
    if !web.cache_enabled.value {
        options.search_cache_ttl = Duration::ZERO;
    }
    if let Some(allowed) = security.allow_private_urls.named() {
        options.allow_private_urls = Some(*allowed);
    }
    apply(security.fake_ip_ranges.named(), &mut options.fake_ip_ranges);
    let list = &mut options.website_blocklist;
    apply(security.blocklist_enabled.named(), &mut list.enabled);
    apply(security.blocklist_domains.named(), &mut list.domains);
    if let Some(files) = security.blocklist_files.named() {
        list.shared_files = files.iter().map(PathBuf::from).collect();
    }
}

/// Applies `timezone` and what `terminal.*` has for the scripts of project mode.
pub(super) fn project(config: &Resolved, options: &mut ProjectOptions) {
    if let Some(directory) = config.terminal.cwd.named() {
        options.cwd = directory.as_deref().map(native::expand);
    }
    apply(
        config.terminal.env_passthrough.named(),
        &mut options.env_passthrough,
    );
    let home = config.terminal.home_mode.named();
    if let Some(mode) = home.and_then(|name| HomeMode::from_name(name)) {
        options.home_mode = mode;
    }
    apply(config.timezone.named(), &mut options.timezone);
}

impl From<&Config> for ProjectOptions {
    /// Returns the options of project mode that a configuration names, and defaults for the others.
    fn from(config: &Config) -> Self {
        let mut options = Self::default();
        project(config.resolved(), &mut options);
        options
    }
}

fn apply<T: Clone>(named: Option<&T>, option: &mut T) {
    if let Some(value) = named {
        option.clone_from(value);
    }
}

#[cfg(test)]
mod tests;
