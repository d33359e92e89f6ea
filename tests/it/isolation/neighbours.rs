//! Sessions of one runtime share nothing.

use hermes_tests::{Case, Session, builder};

/// What one session leaves in every place that it can reach.
const LEAVE: &str = "import builtins, json, math, os, random, sys, tempfile\n\
secret = 'canary-7f3a'\nbuiltins.secret = secret\njson.secret = secret\nmath.secret = secret\nos.environ['SECRET'] = secret\nsys.secret = secret\n\
sys.path.append(secret)\nsys.modules['secret'] = json\nopen('secret', 'w').write(secret)\nopen('/tmp/secret', 'w').write(secret)\n\
random.seed(7)\nos.chdir('/tmp')\nsys.setrecursionlimit(77)\nblock = [secret.encode() * 1000 for _ in range(10_000)]\n";

/// Looks for it everywhere.
const LOOK: &str = "import builtins, gc, json, math, os, random, sys\n\
print('secret' in globals(), hasattr(builtins, 'secret'), hasattr(json, 'secret'), hasattr(math, 'secret'), 'SECRET' in os.environ, hasattr(sys, 'secret'))\n\
print('canary-7f3a' in sys.path, 'secret' in sys.modules, os.listdir('.'), os.listdir('/tmp'), os.getcwd(), sys.getrecursionlimit())\n";

const NOTHING: &str = "False False False False False False\nFalse False [] [] /scratch 1000\n";

#[tokio::test]
async fn one_session_sees_nothing_of_another() {
    let (first, second) = (Session::fresh(), Session::fresh());
    second.run("pass").await.succeeds();
    first.run(LEAVE).await.succeeds();
    second.run(LOOK).await.succeeds().output(NOTHING);
    Case::new(LOOK).run().await.succeeds().output(NOTHING);
}

#[tokio::test]
async fn a_reset_session_sees_nothing_of_its_former_life() {
    let session = Session::fresh();
    session.run(LEAVE).await.succeeds();
    session
        .case(LOOK)
        .reset()
        .run()
        .await
        .succeeds()
        .output(NOTHING)
        .state_reset(true);
}

#[tokio::test]
async fn a_slot_that_is_used_again_holds_nothing_of_its_last_kernel() {
    let runtime = builder().reserved_kernels(2).build().unwrap();
    for _ in 0..4 {
        Case::new(LEAVE).on(&runtime).run().await.succeeds();
        Case::new(format!("{LOOK}import io\nraw = bytearray(200_000_000)\nprint(raw.find(b'canary-7f3a'), raw.count(0) == len(raw))"))
            .on(&runtime)
            .run()
            .await
            .succeeds()
            .output(&format!("{NOTHING}-1 True\n"));
    }
}

#[tokio::test]
async fn random_numbers_of_one_session_do_not_follow_from_anothers() {
    let (first, second) = (Session::fresh(), Session::fresh());
    first.run("import random; random.seed(7)").await.succeeds();
    let seeded = first.run("print(random.random())").await;
    seeded.succeeds().output("0.32383276483316237\n");
    let other = second.run("import random; print(random.random())").await;
    assert_ne!(other.outcome().output, seeded.outcome().output);
}

#[tokio::test]
async fn cells_without_a_session_share_nothing() {
    Case::new(LEAVE).run().await.succeeds().kernel(false, 1);
    Case::new(LOOK)
        .run()
        .await
        .succeeds()
        .output(NOTHING)
        .kernel(false, 1);
}

#[tokio::test]
async fn the_same_name_with_other_tools_is_another_kernel() {
    let session = Session::fresh();
    session
        .case("x = 1")
        .tools(["read_file"])
        .run()
        .await
        .succeeds()
        .kernel(false, 1);
    session
        .case("print('x' in globals())")
        .tools(["write_file"])
        .run()
        .await
        .succeeds()
        .output("False\n")
        .kernel(false, 1);
    session
        .case("print(x)")
        .tools(["read_file"])
        .run()
        .await
        .succeeds()
        .output("1\n")
        .kernel(true, 2);
}
