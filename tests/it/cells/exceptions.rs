//! Exceptions that do not behave: their cell has an error, the kernel lives, and nothing of the runtime is shown.

use hermes_tests::Session;

#[tokio::test]
async fn a_class_can_make_anything_of_its_attributes() {
    let property =
        |name: &str| format!("    @property\n    def {name}(self): raise RuntimeError('{name}')\n");
    let attribute = |name: &str| format!("    {name} = MagicMock()\n");
    let names = [
        "__traceback__",
        "__cause__",
        "__context__",
        "__suppress_context__",
        "__notes__",
        "__class__",
        "args",
        "exceptions",
    ];
    let mut bodies: Vec<String> = vec![
        "    def __getattribute__(self, name): raise RuntimeError(name)\n".to_owned(),
        "    def __str__(self): raise RuntimeError\n    def __repr__(self): raise RuntimeError\n"
            .to_owned(),
    ];
    // The standard library would follow these without end.
    bodies.push("    @property\n    def __traceback__(self):\n        trace = type('T', (), {})()\n        trace.tb_frame, trace.tb_lineno, trace.tb_lasti, trace.tb_next = sys._getframe(), 1, 0, trace\n        return trace\n".to_owned());
    for name in ["__cause__", "__context__", "exceptions"] {
        let made = if name == "exceptions" { "[E()]" } else { "E()" };
        bodies.push(format!(
            "    @property\n    def {name}(self): return {made}\n"
        ));
    }
    for name in names {
        bodies.push(property(name));
        bodies.push(attribute(name));
    }
    for body in bodies {
        let session = Session::fresh();
        session.run("x = 41").await.succeeds();
        let class =
            format!("import sys\nfrom unittest.mock import MagicMock\nclass E(Exception):\n{body}");
        for raising in [
            "raise E('text')",
            "try: raise ValueError(1)\nexcept ValueError as error: raise E('text') from error",
            "try: raise E('text')\nexcept E: raise ValueError(2)",
            "raise ExceptionGroup('group', [E('text')])",
            "raise type('Group', (ExceptionGroup,), dict(vars(E)))('group', [ValueError(3)])",
        ] {
            let finished = session.run(format!("{class}{raising}")).await;
            let error = finished.outcome().error.clone().unwrap_or_default();
            assert!(
                error.contains("Traceback (most recent call last):\n"),
                "{class}{raising}: {finished}"
            );
            finished.shows_no_frame_of_the_runtime();
        }
        session
            .run("print(x + 1)")
            .await
            .succeeds()
            .output("42\n")
            .kernel(true, 7);
    }
}
