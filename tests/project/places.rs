//! Where a script's relative paths begin: the first rung of the ladder that is there.

use hermes_runtime::Request;
use hermes_tests::{Session, builder, project_options};

const CWD: &str = "import os; print(os.getcwd())";

#[tokio::test]
async fn what_cd_left_comes_before_the_request_and_that_before_the_configuration() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let at = |name: &str| root.join(name);
    let shown = |name: &str| format!("{}\n", at(name).display());
    for name in ["configured", "requested", "left"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    let mut options = project_options();
    options.cwd = Some(at("configured"));
    let runtime = builder().project(options).build().unwrap();
    let session = Session::on(&runtime);
    session
        .run(CWD)
        .await
        .succeeds()
        .output(&shown("configured"));
    let requested = at("requested");
    let in_requested = |code: &str| session.case(code).workdir(&requested);
    in_requested(CWD)
        .run()
        .await
        .succeeds()
        .output(&shown("requested"));
    in_requested("from hermes_tools import terminal\nprint(terminal('cd ../left')['cwd'])")
        .run()
        .await
        .succeeds()
        .output(&shown("left"));
    in_requested(CWD)
        .run()
        .await
        .succeeds()
        .output(&shown("left"));
    std::fs::remove_dir(at("left")).unwrap();
    in_requested(CWD)
        .run()
        .await
        .succeeds()
        .output(&shown("requested"));
}

#[tokio::test]
async fn file_tools_and_scripts_mean_the_same_by_a_path() {
    let place = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("far.txt"), "far\n").unwrap();
    let runtime = builder().workdir(place.path()).build().unwrap();
    let code = format!(
        "from hermes_tools import read_file\nopen('near.txt', 'w').write('near\\n')\nprint(read_file('near.txt')['content'])\nprint(read_file({:?})['content'])",
        outside.path().join("far.txt").to_str().unwrap()
    );
    let outcome = runtime.execute(Request::new(code)).await.unwrap();
    assert_eq!(outcome.output, "1|near\n1|far\n", "{}", outcome.to_json());
}
