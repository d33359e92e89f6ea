//! Whether this process is a gateway that a service manager runs: only then would ending it start another one.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::super::host::Gateway;

/// Set by systemd for what it starts, and inherited by whatever that starts in turn.
const SYSTEMD_MARK: &str = "INVOCATION_ID";
/// Set by launchd.
const LAUNCHD_MARK: &str = "XPC_SERVICE_NAME";
/// Bytes of a file with a process number that are read.
const MAX_PID_FILE: u64 = 4 << 10;

/// What was found out about this process, which the host has called a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    /// A service manager has started it, or an ancestor of it.
    pub(super) is_managed: bool,
    /// It is the one that the file with the gateway's process number names.
    pub(super) owns_pid_file: bool,
}

impl Facts {
    /// Finds the facts about the process with that number. Reads a file, which may take as long as its file system likes.
    pub(super) fn of(
        gateway: &Gateway,
        process: u32,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        Self {
            is_managed: gateway
                .is_managed
                .unwrap_or_else(|| has_service_mark(variable)),
            owns_pid_file: process_in(&gateway.pid_file) == Some(process),
        }
    }

    /// Tells whether the process is a supervised gateway.
    pub(super) fn is_supervised(self) -> bool {
        self.is_managed && self.owns_pid_file
    }
}

fn has_service_mark(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let text = |name| {
        let value = variable(name).unwrap_or_default();
        value.to_string_lossy().trim().to_owned()
    };
    let service = text(LAUNCHD_MARK);
    // A shell in a terminal of macOS has the mark, too: as `0`, or with the name of the terminal.
    let is_service = !matches!(service.as_str(), "" | "0") && !service.starts_with("application.");
    is_service || !text(SYSTEMD_MARK).is_empty()
}

/// Returns the process number in a file, which is all of its text or the `pid` of a JSON object.
fn process_in(path: &Path) -> Option<u32> {
    // Opening a pipe would wait for whoever writes to it.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(MAX_PID_FILE).read_to_string(&mut text).ok()?;
    let number = match serde_json::from_str(&text).ok()? {
        Value::Object(fields) => fields.get("pid")?.as_u64()?,
        value => value.as_u64()?,
    };
    u32::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn only_all_facts_together_make_a_supervised_gateway() {
        for is_managed in [false, true] {
            for owns_pid_file in [false, true] {
                let facts = Facts {
                    is_managed,
                    owns_pid_file,
                };
                assert_eq!(facts.is_supervised(), is_managed && owns_pid_file);
            }
        }
    }

    #[test]
    fn service_managers_are_told_by_their_marks_unless_the_host_says_so() {
        for (name, value, expected) in [
            ("INVOCATION_ID", "0123abc", true),
            ("INVOCATION_ID", " ", false),
            ("XPC_SERVICE_NAME", "ai.hermes.gateway", true),
            ("XPC_SERVICE_NAME", "0", false),
            (
                "XPC_SERVICE_NAME",
                "application.com.apple.Terminal.1.2",
                false,
            ),
            ("HERMES_EXEC_ASK", "1", false),
        ] {
            let environment = |asked: &str| (asked == name).then(|| OsString::from(value));
            let mut gateway = Gateway::new("/nowhere");
            let facts = Facts::of(&gateway, 1, environment);
            assert_eq!(facts.is_managed, expected, "{name}={value}");
            for says in [false, true] {
                gateway.is_managed = Some(says);
                assert_eq!(Facts::of(&gateway, 1, environment).is_managed, says);
            }
        }
    }

    #[test]
    fn the_file_names_one_process() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("gateway.pid");
        for (text, expected) in [
            ("7", Some(7)),
            (" 7\n", Some(7)),
            (r#"{"pid": 7, "kind": "gateway"}"#, Some(7)),
            (r#"{"pid": "7"}"#, None),
            ("", None),
            ("-7", None),
            ("7 8", None),
            ("99999999999", None),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(process_in(&path), expected, "{text:?}");
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(process_in(&path), None);
        assert_eq!(process_in(place.path()), None);
        assert_eq!(process_in(&place.path().join("missing")), None);
    }
}
