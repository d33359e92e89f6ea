//! Devices by their paths: disks, which lose what is on them, and those that may be written to by everybody.

use super::target::absolute;

const DISK_PREFIXES: [&str; 8] = ["dm-", "hd", "md", "mmcblk", "nvme", "sd", "vd", "xvd"];

/// Tells whether a path is that of a block device; other devices take what is written to them.
pub(super) fn is_block_device(path: &str) -> bool {
    const PREFIXES: [&str; 3] = ["loop", "nbd", "zram"];
    is_disk(path)
        || matches!(absolute(path).as_deref(), Some(["dev", name])
            if PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Tells whether a path is that of a device, or of another file below `/dev`.
pub(super) fn is_device(path: &str) -> bool {
    match absolute(path).as_deref() {
        // Ordinary files, in memory and in messages between processes.
        Some(["dev", "shm" | "mqueue", _, ..]) => false,
        Some(["dev", ..]) => true,
        _ => false,
    }
}

/// Tells whether a path is that of a device which may be written to, but not replaced.
pub(super) fn is_harmless_device(path: &str) -> bool {
    const HARMLESS: [&str; 6] = ["full", "null", "stderr", "stdout", "tty", "zero"];
    match absolute(path).as_deref() {
        Some(["dev", name]) => HARMLESS.contains(name),
        Some(["dev", "fd", _]) => true,
        _ => false,
    }
}

/// Tells whether a path is that of a disk or a part of one, by any of its names.
pub(super) fn is_disk(path: &str) -> bool {
    match absolute(path).as_deref() {
        Some(["dev", "mapper", name]) => *name != "control",
        Some(["dev", "disk", _, ..] | ["dev", "md", _]) => true,
        Some(["dev", name]) => DISK_PREFIXES.iter().any(|prefix| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_no_other_devices() {
        for path in [
            "/dev/sda",
            "/dev/sdb1",
            "/dev/nvme0n1",
            "/dev/vda",
            "/dev/mmcblk0",
            "//dev/sda",
            "/dev//sda",
            "/dev/../dev/./sda",
            "/dev/disk/by-id/x",
            "/dev/mapper/vg-root",
            "/dev/dm-0",
            "/dev/md0",
            "/dev/md/x",
        ] {
            assert!(is_disk(path), "{path}");
        }
        for path in [
            "/dev/null",
            "/dev/stdout",
            "/dev/sd",
            "/dev/shm/x",
            "/tmp/dev/sda",
            "/dev/mapper/control",
            "/dev/loop0",
            "/dev/disk",
            "dev/sda",
        ] {
            assert!(!is_disk(path), "{path}");
        }
    }
}
