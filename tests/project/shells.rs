//! How long a session's shell lives: as long as its kernel, a cell or a command in the background, whatever other sessions do.

use std::fs;
use std::path::Path;

use hermes_runtime::Runtime;
use hermes_tests::{Case, Meeting, Ready, Session, builder, within_deadline};
use tokio::task::JoinSet;

use super::processes::is_alive;

/// More than are kept when nobody uses them.
const OTHERS: usize = 66;
/// Sessions that run at the same time.
const AT_ONCE: usize = 6;

/// Waits for a number that a command has written to a file.
async fn told(file: &Path) -> u32 {
    let telling = async {
        loop {
            if let Ok(number) = fs::read_to_string(file).unwrap_or_default().trim().parse() {
                return number;
            }
            tokio::task::yield_now().await;
        }
    };
    within_deadline("a command in the background", telling).await
}

async fn has_ended(number: u32) {
    let ending = async {
        while is_alive(number) {
            tokio::task::yield_now().await;
        }
    };
    within_deadline("the end of a command in the background", ending).await;
}

/// A cell that starts a command in the background, which says its number in that file.
fn in_background(file: &Path) -> String {
    let command = format!("echo $$ > {}; exec sleep 100000", file.display());
    format!("from hermes_tools import terminal\nterminal({command:?}, timeout=700)")
}

/// Has many other sessions use their shells.
async fn others_come(runtime: &Runtime) {
    let numbers: Vec<_> = (0..OTHERS).collect();
    for some in numbers.chunks(AT_ONCE) {
        let cells: JoinSet<_> = some
            .iter()
            .map(|number| {
                Case::new("from hermes_tools import terminal\nterminal('export V=other')")
                    .on(runtime)
                    .session(format!("other-{number}"))
                    .run()
            })
            .collect();
        for finished in cells.join_all().await {
            finished.succeeds();
        }
    }
}

#[tokio::test]
async fn a_shell_in_use_is_kept_whatever_others_do() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let ready = Ready::default();
    let runtime = builder()
        .tool(ready.clone())
        .tool(Meeting::of(2))
        .spill_dir(Some(root.clone()))
        .build()
        .unwrap();

    let busy = Session::on(&runtime);
    let moves = format!(
        "from hermes_tools import terminal\nterminal({:?})",
        format!("cd {}; export V=busy", root.display())
    );
    busy.run(moves).await.succeeds();
    busy.run("x = 42").await.succeeds();

    let background = Session::on(&runtime);
    let file = root.join("number");
    let code = format!("{}\nterminal('export V=background')", in_background(&file));
    background.run(code).await.succeeds();
    let number = told(&file).await;

    let waits = "from hermes_tools import meet, ready\nready()\nmeet()";
    let (held, ()) = tokio::join!(busy.run(waits), async {
        ready.told.notified().await;
        others_come(&runtime).await;
        let meet = Case::new("from hermes_tools import meet\nmeet()");
        meet.on(&runtime).run().await.succeeds();
    });
    held.succeeds().kernel(true, 2);

    let show = "import os\nfrom hermes_tools import terminal\nprint(os.getcwd(), terminal('echo $V')['output'].strip())";
    busy.run(format!("{show}\nprint(x)"))
        .await
        .succeeds()
        .output(&format!("{} busy\n42\n", root.display()))
        .kernel(true, 3);
    // Its kernel has gone for the others; its shell goes on.
    let finished = background.run(show).await;
    finished.succeeds().kernel(false, 1);
    let output = &finished.outcome().output;
    assert!(output.ends_with(" background\n"), "{finished}");
    assert!(is_alive(number));
    assert!(runtime.close_session(background.name()));
    has_ended(number).await;
}

#[tokio::test]
async fn a_session_whose_kernel_is_gone_is_closed_with_its_shell() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("number");
    let runtime = builder()
        .spill_dir(Some(place.path().to_owned()))
        .build()
        .unwrap();
    let session = Session::on(&runtime);
    let code = format!("{}\nraise SystemExit", in_background(&file));
    session.run(code).await.succeeds().ended(true);
    let number = told(&file).await;
    assert_eq!(runtime.sessions(), 0);
    assert!(runtime.close_session(session.name()));
    has_ended(number).await;
    assert!(!runtime.close_session(session.name()));

    let exports = "from hermes_tools import terminal\nterminal('export V=1')\nraise SystemExit";
    session.run(exports).await.succeeds().ended(true);
    assert!(runtime.close_session(session.name()));
    // There was nothing in its shell.
    session.run("raise SystemExit").await.succeeds().ended(true);
    assert!(!runtime.close_session(session.name()));
}
