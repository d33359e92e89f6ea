//! The memory and the processor time of a process, as Linux counts them.

use std::fs;

use anyhow::{Context as _, Result};

/// Ticks a second in `/proc/PID/stat`: a constant of the kernel's interface.
const TICKS: f64 = 100.0;

/// What a process has in memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Footprint {
    /// All pages, shared ones too.
    pub(crate) resident: f64,
    /// Pages that no other process has.
    pub(crate) private: f64,
}

impl Footprint {
    /// Reads the footprint of a process, `self` or a number.
    pub(crate) fn of(process: &str) -> Result<Self> {
        let path = format!("/proc/{process}/smaps_rollup");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{path}`"))?;
        Self::parse(&text).with_context(|| format!("`{path}` is not what it was"))
    }

    fn parse(rollup: &str) -> Option<Self> {
        let bytes = |name: &str| {
            let rest = rollup
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            let kilobytes: f64 = rest.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(kilobytes * 1024.0)
        };
        Some(Self {
            resident: bytes("Rss")?,
            private: bytes("Private_Clean")? + bytes("Private_Dirty")?,
        })
    }
}

/// Returns the seconds of processor time that all threads of this process have used.
pub(crate) fn processor_seconds() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat").context("cannot read `/proc/self/stat`")?;
    seconds_in(&text).context("`/proc/self/stat` is not what it was")
}

/// Adds the user and the system time: the 14th and 15th field, counted behind the name, which may hold anything.
fn seconds_in(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11);
    let user: f64 = times.next()?.parse().ok()?;
    let system: f64 = times.next()?.parse().ok()?;
    Some((user + system) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_memory_is_clean_and_dirty() {
        let rollup =
            "0-1 ---p [rollup]\nRss:  1748 kB\nPrivate_Clean:  40 kB\nPrivate_Dirty:  112 kB\n";
        let footprint = Footprint {
            resident: 1748.0 * 1024.0,
            private: 152.0 * 1024.0,
        };
        assert_eq!(Footprint::parse(rollup), Some(footprint));
        assert_eq!(Footprint::parse("Rss: 1748 kB\n"), None);
    }

    #[test]
    fn processor_time_is_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 99";
        assert_eq!(seconds_in(stat), Some(3.0));
        assert_eq!(seconds_in("7 (a) S 1"), None);
    }
}
