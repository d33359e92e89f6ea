//! Randomness: every sandbox comes from one snapshot, and none repeats another.

use std::collections::HashSet;

use hermes_tests::{Case, Session};

/// Sandboxes that are compared.
const SANDBOXES: usize = 24;

/// Expressions whose values must differ between sandboxes.
const SOURCES: &[&str] = &[
    "__import__('random').random()",
    "__import__('random').getrandbits(64)",
    "__import__('random').sample(range(10**9), 3)",
    "__import__('random').Random().random()",
    "__import__('random').SystemRandom().random()",
    "__import__('uuid').uuid4()",
    "__import__('uuid').uuid1()",
    "__import__('secrets').token_hex(16)",
    "__import__('secrets').randbelow(10**18)",
    "__import__('os').urandom(16).hex()",
    "__import__('tempfile').mktemp()",
    "__import__('tempfile').mkdtemp()",
    "__import__('tempfile').NamedTemporaryFile().name",
    "__import__('tempfile').mkstemp()[1]",
    "__import__('email.utils').utils.make_msgid()",
];

#[tokio::test]
async fn no_two_sandboxes_draw_the_same() {
    let code = format!("for source in {SOURCES:?}:\n    print(eval(source))");
    let mut seen: Vec<HashSet<String>> = vec![HashSet::new(); SOURCES.len()];
    for _ in 0..SANDBOXES {
        let finished = Case::new(&code).run().await;
        finished.succeeds();
        let lines: Vec<_> = finished.outcome().output.lines().collect();
        assert_eq!(lines.len(), SOURCES.len(), "{finished}");
        for (values, line) in seen.iter_mut().zip(lines) {
            values.insert(line.to_owned());
        }
    }
    for (source, values) in SOURCES.iter().zip(seen) {
        assert_eq!(values.len(), SANDBOXES, "{source}");
    }
}

#[tokio::test]
async fn a_session_does_not_repeat_itself() {
    let session = Session::fresh();
    let mut seen = HashSet::new();
    for _ in 0..SANDBOXES {
        let finished = session.run("import random; print(random.random())").await;
        finished.succeeds();
        seen.insert(finished.outcome().output.clone());
    }
    assert_eq!(seen.len(), SANDBOXES);
}

#[tokio::test]
async fn a_reset_session_does_not_repeat_itself() {
    let session = Session::fresh();
    let first = session.run("import random; print(random.random())").await;
    let second = session
        .case("import random; print(random.random())")
        .reset()
        .run()
        .await;
    second.succeeds().state_reset(true);
    assert_ne!(first.outcome().output, second.outcome().output);
}

#[tokio::test]
async fn a_seed_that_a_script_sets_gives_cpythons_numbers() {
    let code = "import random\nrandom.seed(1)\nprint(random.random(), random.randint(1, 100), random.choice('abcdef'), random.sample(range(10), 3))";
    for _ in 0..2 {
        Case::new(code)
            .run()
            .await
            .succeeds()
            .output("0.13436424411240122 98 a [4, 1, 7]\n");
    }
}

#[tokio::test]
async fn hashes_of_text_are_the_same_in_every_sandbox() {
    let first = Case::new("print(hash('text'), [*{'a', 'b', 'c', 'd'}])")
        .run()
        .await;
    let second = Case::new("print(hash('text'), [*{'a', 'b', 'c', 'd'}])")
        .run()
        .await;
    first.succeeds();
    second.succeeds().output(&first.outcome().output);
}
