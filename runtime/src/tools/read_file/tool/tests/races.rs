//! That a file swapped during the call never shows what is outside or denied, and never blocks the call.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::refusals::make_pipe;
use super::*;

/// An even number, so that the plain file is in its place at the end.
const SWAPS: usize = 10_000;

/// Swaps the entry `swap` between a plain file and what `plant` makes, while `swap` is read over and over.
async fn read_while_swapping(
    granted: &Granted,
    context: &ToolContext,
    plant: impl FnOnce(&Path),
) -> usize {
    granted.put("swap", "plain\n");
    let (target, spare) = (granted.path("swap"), granted.path("spare"));
    plant(&spare);
    let is_over = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&is_over);
    let swapper = thread::spawn(move || {
        for _ in 0..SWAPS {
            renameat_with(CWD, &spare, CWD, &target, RenameFlags::EXCHANGE).unwrap();
        }
        ends.store(true, Ordering::Release);
    });
    let tool = tool();
    let mut plain = 0;
    loop {
        let was_over = is_over.load(Ordering::Acquire);
        let reply = reply(&tool, json!({"path": "swap"}), context).await;
        assert!(!reply.contains("forbidden"), "{reply}");
        plain += usize::from(reply.contains("1|plain"));
        if was_over {
            break;
        }
    }
    swapper.join().unwrap();
    plain
}

#[tokio::test]
async fn a_link_that_leads_out_now_and_then_never_shows_what_is_outside() {
    let (granted, outside) = (Granted::new(), Granted::new());
    outside.put("secret", "forbidden\n");
    let secret = outside.path("secret");
    let plain = read_while_swapping(&granted, &granted.context, |spare| {
        symlink(&secret, spare).unwrap();
    })
    .await;
    assert!(plain > 0);
}

#[tokio::test]
async fn a_link_to_a_denied_file_now_and_then_never_shows_it() {
    for is_host in [false, true] {
        let granted = Granted::new();
        granted.put(".env", "forbidden\n");
        let context = if is_host {
            on_host(&granted)
        } else {
            granted.context.clone()
        };
        let plant = |spare: &Path| symlink(".env", spare).unwrap();
        let plain = read_while_swapping(&granted, &context, plant).await;
        assert!(plain > 0);
    }
}

#[tokio::test]
async fn a_pipe_now_and_then_never_blocks() {
    let granted = Granted::new();
    let plain = read_while_swapping(&granted, &granted.context, make_pipe).await;
    assert!(plain > 0);
}
