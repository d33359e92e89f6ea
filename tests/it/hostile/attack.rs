//! One attack: a script, and how it has to end.

use hermes_runtime::{ByteSize, Runtime};
use hermes_tests::{Scripted, Session, builder, every_row};

/// How an attack ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// It does no harm, and prints this.
    Prints(&'static str),
    /// This is the last line of its traceback; the kernel lives.
    Raises(&'static str),
    /// The wall clock stops it, after it has printed this.
    TimesOut(&'static str),
    /// Its kernel is lost, with this detail.
    Dies(&'static str),
}

/// A name, a script and its end.
pub(super) type Attack = (&'static str, &'static str, End);

/// Runs each attack in a session of its own, and a harmless cell after it.
pub(super) async fn repel(attacks: &'static [Attack]) {
    let runtime = arena();
    every_row(attacks, async |(_, script, end)| {
        let session = Session::on(&runtime);
        session.run("survivor = 1").await.succeeds();
        let finished = session.case(*script).timeout_ms(10_000).run().await;
        // An interpreter that gives itself up lists every frame that it has on stderr; that is no traceback.
        if !finished.outcome().output.contains("Fatal Python error: ") {
            finished.shows_no_frame_of_the_runtime();
        }
        let lives = match end {
            End::Prints(output) => {
                finished.succeeds().output(output);
                true
            }
            End::Raises(last_line) => {
                finished.raises(last_line);
                true
            }
            End::TimesOut(before) => {
                finished.times_out("10", before);
                false
            }
            End::Dies(detail) => {
                finished.dies(detail);
                false
            }
        };
        let after = session
            .run("print('healthy', 'survivor' in globals())")
            .await;
        after
            .succeeds()
            .output(if lives {
                "healthy True\n"
            } else {
                "healthy False\n"
            })
            .kernel(lives, if lives { 3 } else { 1 });
    })
    .await;
}

/// A runtime with little memory and a tool that echoes.
fn arena() -> Runtime {
    builder()
        .memory_limit(ByteSize::mebibytes(192))
        .tool(Scripted::echo())
        .max_sessions(100)
        .build()
        .unwrap()
}
