//! The memory limit: growth that is refused is a `MemoryError`, and the session lives on.

use hermes_runtime::{ByteSize, Runtime};
use hermes_tests::{Session, builder, every_row};

/// Scripts that want more than there is. The first kind asks for much at once, the second for little again and again.
const BOMBS: &[&str] = &[
    "bytearray(1 << 30)",
    "'x' * (1 << 30)",
    "[0] * (1 << 28)",
    "bytes(1 << 31 - 1)",
    "list(range(10**9))",
    "'x'.ljust(1 << 30)",
    "[[0] * 1000 for _ in range(10**7)]",
    "{i: str(i) for i in range(10**8)}",
    "a = []\nwhile True: a.append(bytearray(1000))",
    "a = []\nwhile True: a.append(a[:])\n",
    "s = 'x'\nwhile True: s += s",
    "import itertools\nlist(itertools.permutations(range(12)))",
    "class Node:\n    def __init__(self, next): self.next = next\nnode = None\nwhile True: node = Node(node)",
    "import io\nbuffer = io.BytesIO()\nwhile True: buffer.write(bytes(1 << 20))",
    "import zlib\nbomb = zlib.compress(bytes(10**8), 9)\nparts = [zlib.decompress(bomb) for _ in range(100)]",
    "import array\narray.array('d', bytes(8)) * (1 << 28)",
    "import json\njson.loads('[' + '[0],' * (1 << 25) + '0]')",
    "f'{1:1000000000}'",
    "1 << (1 << 33 - 1)",
];

fn small() -> Runtime {
    builder()
        .memory_limit(ByteSize::mebibytes(128))
        .max_sessions(100)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_memory_bomb_is_a_memory_error_and_the_session_lives() {
    let runtime = small();
    every_row(BOMBS, async |bomb| {
        let session = Session::on(&runtime);
        session.run("x = 1").await.succeeds();
        let finished = session.run(format!("print('start')\n{bomb}")).await;
        finished.raises("MemoryError");
        assert!(
            finished
                .outcome()
                .output
                .starts_with("start\n\n--- stderr ---\nTraceback (most recent call last):\n"),
            "{finished}"
        );
        session
            .run("print(x)")
            .await
            .succeeds()
            .output("1\n")
            .kernel(true, 3);
    })
    .await;
}

#[tokio::test]
async fn a_memory_error_can_be_caught_and_the_memory_used_again() {
    let session = Session::on(&small());
    let code = "blocks = []\ntry:\n    while True: blocks.append(bytearray(1 << 20))\nexcept MemoryError:\n    count = len(blocks)\n    blocks.clear()\n    print('caught', count > 40)\n\
                again = bytearray(32 << 20)\nprint(len(again))";
    session
        .run(code)
        .await
        .succeeds()
        .output("caught True\n33554432\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn what_a_bomb_holds_in_a_name_can_be_given_up_in_the_next_cell() {
    let session = Session::on(&small());
    session
        .run("blocks = []\nwhile True: blocks.append(bytearray(1 << 16))")
        .await
        .raises("MemoryError");
    session
        .run("del blocks\nprint(len(bytearray(32 << 20)))")
        .await
        .succeeds()
        .output("33554432\n");
}

#[tokio::test]
async fn small_objects_up_to_the_limit_are_a_memory_error_too() {
    let session = Session::on(&small());
    session
        .run("a = []\nwhile True: a.append((1.5 * len(a), len(a)))")
        .await
        .raises("MemoryError");
    session
        .run("del a\nprint('free')")
        .await
        .succeeds()
        .output("free\n");
}

#[tokio::test]
async fn a_swallowed_memory_error_runs_into_the_wall_clock() {
    let session = Session::on(&small());
    let code = "a = []\nwhile True:\n    try:\n        while True: a.append(bytearray(1 << 12))\n    except MemoryError: pass";
    session
        .case(code)
        .timeout_ms(3_000)
        .run()
        .await
        .times_out("3", "");
    session.is_healthy().await;
}

#[tokio::test]
async fn files_of_the_sandbox_count_as_memory() {
    let session = Session::on(&small());
    let code = "import os\ntry:\n    with open('/tmp/big', 'wb') as f:\n        while True: f.write(bytes(1 << 20))\nexcept OSError as error:\n    print(os.strerror(error.errno))";
    session
        .run(code)
        .await
        .succeeds()
        .output("No space left on device\n");
    session
        .run("import os\nos.remove('/tmp/big')\nprint(len(bytearray(16 << 20)))")
        .await
        .succeeds()
        .output("16777216\n");
}

#[tokio::test]
async fn a_file_is_not_made_huge_by_a_seek() {
    let session = Session::on(&small());
    every_row(
        [
            "f = open('/tmp/sparse', 'wb')\nf.seek(1 << 40)\nf.write(b'x')\nf.flush()",
            "open('/tmp/sparse', 'wb').truncate(1 << 40)",
        ],
        async |code| {
            let finished = session
                .run(format!(
                    "try:\n    {}\nexcept OSError as error: print('refused')",
                    code.replace('\n', "\n    ")
                ))
                .await;
            finished.succeeds().output("refused\n");
        },
    )
    .await;
    session.is_healthy().await;
}

#[tokio::test]
async fn the_default_limit_holds_half_a_gigabyte() {
    let session = Session::fresh();
    session
        .run("block = bytearray(400 << 20)\nprint(len(block))")
        .await
        .succeeds()
        .output("419430400\n");
    session
        .run("del block\nmore = bytearray(600 << 20)")
        .await
        .raises("MemoryError");
    session.is_healthy().await;
}
