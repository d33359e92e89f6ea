//! Another thread swaps files and directories for links all the time; nothing outside is ever written.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::thread;

use super::*;

const ROUNDS: usize = 2_000;

/// Puts each of two entries in turn at a name, and takes it away again.
fn swap(first: PathBuf, second: PathBuf, name: PathBuf) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for entry in [&first, &second].into_iter().cycle().take(ROUNDS) {
            // A write that finds nothing makes an entry of its own, which is in the way until it is removed.
            if fs::rename(entry, &name).is_err() || fs::rename(&name, entry).is_err() {
                let _ = fs::remove_dir_all(&name);
                let _ = fs::remove_file(&name);
            }
        }
    })
}

async fn write_while_swapped(entry: &str, path: &str) {
    let place = Granted::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x"), "old").unwrap();
    let is_file = entry == path;
    if is_file {
        place.put("real", "inside");
        symlink(outside.path().join("x"), place.path("link")).unwrap();
    } else {
        fs::create_dir(place.path("real")).unwrap();
        symlink(outside.path(), place.path("link")).unwrap();
    }
    let swapper = swap(place.path("real"), place.path("link"), place.path(entry));
    while !swapper.is_finished() {
        write(&place, path, "new").await;
    }
    swapper.join().unwrap();
    assert_eq!(names(outside.path()), ["x"]);
    assert_eq!(fs::read_to_string(outside.path().join("x")).unwrap(), "old");
    let left: Vec<_> = names(&place.path(""))
        .into_iter()
        .filter(|name| name.contains("hermes"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn a_directory_swapped_for_a_link_never_leads_out() {
    write_while_swapped("d", "d/x").await;
}

#[tokio::test]
async fn a_directory_further_up_swapped_for_a_link_never_leads_out() {
    write_while_swapped("d", "d/new/deep/x").await;
}

#[tokio::test]
async fn a_file_swapped_for_a_link_never_leads_out() {
    write_while_swapped("f", "f").await;
}
