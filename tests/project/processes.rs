//! The processes of this machine that carry a text in their command line, for tests that look whether any is left.

use std::fs;

/// Returns the numbers of the living processes whose command line has the text in it.
pub(super) fn with(text: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| {
            let command = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            command.contains(text) && is_alive(*number)
        })
        .collect()
}

/// Returns whether a process is there and no zombie.
pub(super) fn is_alive(number: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
