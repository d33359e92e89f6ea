//! The rules that say whether a variable of the host reaches a kernel. They are asked in order; the first that knows the name decides.

use std::ffi::OsStr;

use super::{Variable, credentials};
use crate::process::WINDOWS_ESSENTIALS;

/// What makes a name suspicious, wherever in it. `PASS` alone is not here: it is part of too many harmless names.
const SECRET_PARTS: [&str; 12] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "CREDENTIAL",
    "PASSWD",
    "AUTH",
    "DSN",
    "WEBHOOK",
    "CREDS",
    "BEARER",
    "APIKEY",
];

/// What harmless names begin with.
const KEPT_PREFIXES: [&str; 15] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "SHELL",
    "LOGNAME",
    "XDG_",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "CONDA",
];

/// The only ones of this family: others hold addresses with passwords in them.
const KEPT_HERMES: [&str; 5] = [
    "HERMES_HOME",
    "HERMES_PROFILE",
    "HERMES_CONFIG",
    "HERMES_ENV",
    "HERMES_DELEGATED_CHILD_CONTEXT",
];

/// Returns the variables that reach a kernel.
pub(in super::super) fn scrub(
    variables: impl IntoIterator<Item = Variable>,
    passthrough: &[String],
    is_windows: bool,
) -> Vec<Variable> {
    variables
        .into_iter()
        .filter(|(name, _)| is_kept(name, passthrough, is_windows))
        .collect()
}

fn is_kept(name: &OsStr, passthrough: &[String], is_windows: bool) -> bool {
    // A name that is no text is none that a rule keeps.
    let Some(name) = name.to_str() else {
        return false;
    };
    let capitals = name.to_uppercase();
    if passthrough.iter().any(|each| each == name) && !credentials::is_known(&capitals) {
        return true;
    }
    if SECRET_PARTS.iter().any(|part| capitals.contains(part)) {
        return false;
    }
    // Windows does not tell names by case.
    let compared = if is_windows { capitals.as_str() } else { name };
    KEPT_PREFIXES
        .iter()
        .any(|prefix| compared.starts_with(prefix))
        || KEPT_HERMES.contains(&compared)
        || (is_windows && WINDOWS_ESSENTIALS.contains(&compared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_knows_a_name_decides() {
        let passthrough = [
            "MY_VAR",
            "MY_TOKEN",
            "OPENAI_API_KEY",
            "AUXILIARY_X_API_KEY",
        ]
        .map(str::to_owned);
        // Name, kept elsewhere, kept on Windows.
        for (name, is_kept_elsewhere, is_kept_on_windows) in [
            ("PATH", true, true),
            ("Path", false, true),
            ("HOME", true, true),
            ("LANG", true, true),
            ("LC_ALL", true, true),
            ("XDG_RUNTIME_DIR", true, true),
            ("PYTHONPATH", true, true),
            ("PYTHONSTARTUP", false, false),
            ("VIRTUAL_ENV", true, true),
            ("CONDA_PREFIX", true, true),
            ("CONDA_TOKEN", false, false),
            ("TMPDIR", true, true),
            ("USER_PASSWORD", false, false),
            ("TERM_AUTH_COOKIE", false, false),
            ("BYPASS", false, false),
            ("MY_VAR", true, true),
            ("my_var", false, false),
            ("MY_TOKEN", true, true),
            ("OPENAI_API_KEY", false, false),
            ("AUXILIARY_X_API_KEY", false, false),
            ("GITHUB_TOKEN", false, false),
            ("DB_PASSWORD", false, false),
            ("SENTRY_DSN", false, false),
            ("SLACK_WEBHOOK_URL", false, false),
            ("github_token", false, false),
            ("HERMES_HOME", true, true),
            ("HERMES_PROFILE", true, true),
            ("HERMES_DB_URL", false, false),
            ("HERMES_TIMEZONE", false, false),
            ("HERMES_RPC_TOKEN", false, false),
            ("SYSTEMROOT", false, true),
            ("SystemRoot", false, true),
            ("ProgramFiles(x86)", false, true),
            ("LD_PRELOAD", false, false),
            ("", false, false),
        ] {
            let kept = |is_windows| is_kept(OsStr::new(name), &passthrough, is_windows);
            assert_eq!(
                (kept(false), kept(true)),
                (is_kept_elsewhere, is_kept_on_windows),
                "{name}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_is_dropped_and_values_stay_as_they_are() {
        use std::os::unix::ffi::OsStringExt as _;

        let odd = std::ffi::OsString::from_vec(b"PATH\xff".to_vec());
        let value = std::ffi::OsString::from_vec(b"/bin\xff".to_vec());
        let variables = [(odd, "x".into()), ("PATH".into(), value.clone())];
        assert_eq!(scrub(variables, &[], false), [("PATH".into(), value)]);
    }
}
