#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::sync::Arc;

use tokio::io::AsyncWriteExt as _;
use tokio::time::Instant;

use super::super::super::channel::Channel;
use super::super::super::directory::Directory;
use super::super::super::interpreter::Interpreters;
use super::super::super::streams::Streams;
use super::*;
use crate::text::capture::Capture;
use crate::text::clean::Cleaner;

const TOKEN: &str = "token";
const SENTINEL: &str = "@@S@@";

fn text(capture: &Capture) -> String {
    Cleaner::new(Arc::default(), None).fragment(capture, None)
}

async fn start() -> (Directory, Child, Pending) {
    let python = Interpreters::default().find(None).await;
    let python = python.unwrap().unwrap();
    let directory = Directory::new(&python.programs).unwrap();
    let mut command = Command::new(&python.path);
    command
        .arg(directory.runner())
        .env("HERMES_KERNEL_SPILL_DIR", directory.path())
        .env("HERMES_KERNEL_SENTINEL", SENTINEL)
        .env("HERMES_RPC_TOKEN", TOKEN);
    let (child, pending) = spawn(command, TOKEN).unwrap();
    (directory, child, pending)
}

#[tokio::test]
async fn a_child_that_connects_back_runs_cells_and_has_no_input() {
    let (_directory, mut child, pending) = start().await;
    let wires = pending.connected().await.unwrap();
    let mut channel = Channel::new(wires.control, SENTINEL.to_owned());
    let mut streams = Streams::new(wires.sources);
    let cell = "import sys\nprint('out', 1)\nprint('err', file=sys.stderr)\nsys.stdout.buffer.write(b'bytes')\nx = 1";
    channel.ask("1", cell).await.unwrap();
    let output = streams.take();
    assert_eq!(text(&output.captured_stdout), "out 1\nbytes");
    assert_eq!(text(&output.captured_stderr), "err\n");
    let reply = channel.ask("2", "print(x)\ninput()").await.unwrap();
    let ending = "EOFError: EOF when reading a line\n";
    assert!(reply.traceback.ends_with(ending), "{}", reply.traceback);
    assert_eq!(text(&streams.take().captured_stdout), "1\n");
    drop(channel);
    child.wait().await.unwrap();
}

#[tokio::test]
async fn only_who_knows_the_token_is_taken_for_the_child() {
    let (_directory, mut child, pending) = start().await;
    child.kill().await.unwrap();
    let address = pending.listener.local_addr().unwrap();
    let says = async |hello: &str| {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(hello.as_bytes()).await.unwrap();
        stream
    };
    let mut strangers = Vec::new();
    for hello in [
        "\n",
        "token\n",
        "tokem control\n",
        "token other\n",
        " control\n",
    ] {
        strangers.push(says(hello).await);
    }
    let mut own = Vec::new();
    for role in ROLES {
        own.push(says(&format!("{TOKEN} {role}\n{role}")).await);
    }
    let mut accepted = pending.accept().await.unwrap();
    for (stream, role) in accepted.iter_mut().zip(ROLES) {
        let mut first = vec![0; role.len()];
        stream.read_exact(&mut first).await.unwrap();
        assert_eq!(first, role.as_bytes());
    }
}

#[tokio::test]
async fn connections_that_say_nothing_do_not_keep_the_child_waiting() {
    let (_directory, mut child, pending) = start().await;
    child.kill().await.unwrap();
    let address = pending.listener.local_addr().unwrap();
    let mut connected = Vec::new();
    for _ in 0..MAX_GREETINGS - ROLES.len() {
        connected.push(TcpStream::connect(address).await.unwrap());
    }
    for role in ROLES {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let hello = format!("{TOKEN} {role}\n");
        stream.write_all(hello.as_bytes()).await.unwrap();
        connected.push(stream);
    }
    // From here on the clock goes on only where nothing else can: nobody waits for the silent ones.
    tokio::time::pause();
    let start = Instant::now();
    pending.connected().await.unwrap();
    assert!(start.elapsed() < HELLO_PATIENCE);
}
