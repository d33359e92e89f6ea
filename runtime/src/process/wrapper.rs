//! What a shell is told to do for one command: restore the session's state, run the command, save the state at whatever exit it takes.
//!
//! A wrapper is one line, so that line numbers in error messages are the command's own. What a session makes of variables, functions, aliases
//! and options shows only in its own commands: a wrapper names no function or alias by accident, and says nothing of a variable that it may
//! not set or under an option that prints what runs. The file with the command is emptied when the command's turn has come.

/// Name of the variable that holds the private directory's path.
pub(super) const STATE_VARIABLE: &str = "HERMES_SHELL_STATE";

/// Writes the functions that can be read again, for bash writes some that cannot, and a shell reads nothing behind such a one.
///
/// All are tried at once, and one by one where that fails. It is for double quotes inside of single ones, and for a shell without aliases.
macro_rules! save_functions {
    () => {
        concat!(
            r#"hermes_text=\$(\command declare -f); "#,
            r#"if \command eval -- \"if command false; then \${hermes_text:-:}; fi\"; then \command printf \"%s\\n\" \"\$hermes_text\"; "#,
            r#"else \command declare -F | while IFS= \command read -r hermes_line; do "#,
            r#"hermes_text=\$(\command declare -f -- \"\${hermes_line##* }\"); \command eval -- \"if command false; then \$hermes_text; fi\" "#,
            r#"&& \command printf \"%s\\n\" \"\$hermes_text\" \"\$hermes_line\"; done; fi"#,
        )
    };
}

/// Saves the state in bash. Text and not a function, which would become a part of the state.
///
/// A function `command` is not kept: what the wrapper does goes by that name, so that later commands would not be run. Variables are
/// declared, not exported: one that cannot be set would end a shell with the option `posix`. The state's own place is none of them.
macro_rules! save_in_bash {
    () => {
        concat!(
            r#"{ { \unset -f command; \command set +euvxC; } >/dev/null; { \command export -n HERMES_SHELL_STATE; \command declare -px; "#,
            r#"\command echo command shopt -u expand_aliases; \command alias -p; "#,
            r#"( \command shopt -s extglob; \command shopt -u expand_aliases; \command eval -- ""#,
            save_functions!(),
            r#"" ); } >"$HERMES_SHELL_STATE/environment.new"; \command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null"#
        )
    };
}

/// Saves the state in a plain shell.
macro_rules! save_in_sh {
    () => {
        r#"{ { \unset -f command; \set +euvxC; } >/dev/null; \command export -p >"$HERMES_SHELL_STATE/environment.new"; \command pwd >"$HERMES_SHELL_STATE/cwd.new"; } 2>/dev/null"#
    };
}

/// Wraps a command for bash: wait for the word to go, restore the state, run the command, save the state.
/// A command that sets a trap of its own for the exit has its state saved when it comes to its end.
///
/// The first argument is the directory to start in. No program is started, so that a session with a broken `PATH` can still repair it.
pub(super) const BASH_WRAPPER: &str = concat!(
    r#"read -r REPLY || exit 1; unset REPLY; exec </dev/null 2>&1; shopt -s extglob; "#,
    r#"[ -r "$HERMES_SHELL_STATE/environment" ] && . "$HERMES_SHELL_STATE/environment" >/dev/null 2>&1; "#,
    r#"command shopt -u extglob; command shopt -s expand_aliases; command cd -- "$1" 2>/dev/null; command shift; "#,
    "command trap '",
    save_in_bash!(),
    "' EXIT; ",
    r#"command eval -- "$(<"$HERMES_SHELL_STATE/command")$(>|"$HERMES_SHELL_STATE/command")"; "#,
    r#"{ command set +euvxC -- "$?"; } >/dev/null 2>&1; "#,
    save_in_bash!(),
    r#"; command exit "$1""#,
);

/// Wraps a command for a plain shell, which keeps directory and exported variables only.
///
/// The command is read before the session's `PATH` is restored; the place of a state that this one was copied from is not its own. The space
/// in front of the command keeps one such as `-x` from being an option of `eval`, for which not every shell has `--`.
pub(super) const SH_WRAPPER: &str = concat!(
    r#"read -r REPLY || exit 1; unset REPLY; exec </dev/null 2>&1; hermes_command=$(cat "$HERMES_SHELL_STATE/command") || exit 1; "#,
    r#"hermes_state=$HERMES_SHELL_STATE; [ -r "$hermes_state/environment" ] && . "$hermes_state/environment" >/dev/null 2>&1; "#,
    r#"export HERMES_SHELL_STATE="$hermes_state"; cd -- "$1" 2>/dev/null; shift; "#,
    "trap '",
    save_in_sh!(),
    "' EXIT; ",
    r#">|"$HERMES_SHELL_STATE/command"; eval " $hermes_command"; { set +euvxC -- "$?"; } >/dev/null 2>&1; "#,
    save_in_sh!(),
    r#"; exit "$1""#,
);
