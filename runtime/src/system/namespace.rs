//! Users of a user namespace: those that have no number in it share one.
//!
//! Where only one user has a number, as in many containers without rights, the root directory itself belongs to that number: then it stands
//! for the administrator, too.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::sync::LazyLock;

/// The number that users have who have none here; `None` where a user can have that number, or the root directory is not one of theirs.
static NOBODY_KNOWN: LazyLock<Option<u32>> = LazyLock::new(|| {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let number = shared_number(
        &read("/proc/sys/kernel/overflowuid"),
        &read("/proc/self/uid_map"),
    );
    let owner = fs::metadata("/").map(|root| root.uid());
    number.filter(|number| owner.is_ok_and(|owner| owner == *number))
});

/// Whether this namespace has no users at all: its one number stands for everybody, the user of this process too.
static HAS_NO_USERS: LazyLock<bool> = LazyLock::new(|| {
    // Where there are no namespaces there is no such file.
    let map = fs::read_to_string("/proc/self/uid_map");
    map.is_ok_and(|map| map.trim().is_empty())
});

/// Tells whether a user's number says which user it is.
pub(super) fn has_users() -> bool {
    !*HAS_NO_USERS
}

/// Tells whether a number stands for users who have none in this namespace.
pub(super) fn is_nobody_known(user: u32) -> bool {
    *NOBODY_KNOWN == Some(user)
}

/// Reads the number, and the numbers that users can have: lines of the first one, the one outside, and how many there are.
fn shared_number(overflow: &str, map: &str) -> Option<u32> {
    let number: u32 = overflow.trim().parse().ok()?;
    let mut ranges = map.lines().map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let first: u64 = fields.next()?.parse().ok()?;
        let count: u64 = fields.nth(1)?.parse().ok()?;
        Some(first..first.saturating_add(count))
    });
    let known = ranges.clone().flatten().count();
    let is_anybodys = ranges.any(|range| range.is_none_or(|range| range.contains(&number.into())));
    (known > 0 && !is_anybodys).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_shared_where_no_user_can_have_it() {
        for (map, expected) in [
            ("         0          0 4294967295\n", None),
            ("         0       1000          1\n", Some(65_534)),
            ("0 1000 1\n1 100000 65536\n", None),
            ("0 1000 1\n1 100000 1000\n", Some(65_534)),
            ("", None),
            ("nonsense\n", None),
            ("0 1000 1\nnonsense\n", None),
        ] {
            assert_eq!(shared_number("65534\n", map), expected, "{map:?}");
        }
        assert_eq!(shared_number("", "0 1000 1\n"), None);
    }
}
