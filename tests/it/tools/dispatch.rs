//! The way of a call: allow list, budget, what never reaches a handler, and the end of a cell's right to call.

use hermes_runtime::{ToolError, ToolReply};
use hermes_tests::{Case, Scripted, Session, builder, every_row, is_for_strict_only};
use serde_json::json;

fn noop() -> Scripted {
    Scripted::new("noop", |_, _| ToolReply::json(&json!({})))
}

#[tokio::test]
async fn calls_beyond_the_budget_are_refused_and_not_counted() {
    let runtime = builder().tool(noop()).build().unwrap();
    Case::new("from hermes_tools import noop\nfor _ in range(4): print(noop())")
        .on(&runtime)
        .max_tool_calls(2)
        .run()
        .await
        .succeeds()
        .output(
            "{}\n{}\n{'error': 'Tool call limit reached (2). No more tool calls allowed in this execution.'}\n\
             {'error': 'Tool call limit reached (2). No more tool calls allowed in this execution.'}\n",
        )
        .tool_calls(2);
}

#[tokio::test]
async fn the_default_budget_is_fifty_calls_in_each_cell() {
    let session = Session::on(&builder().tool(noop()).build().unwrap());
    for _ in 0..2 {
        session
            .run("from hermes_tools import noop\nprint(sum('error' in noop() for _ in range(60)))")
            .await
            .succeeds()
            .output("10\n")
            .tool_calls(50);
    }
}

#[tokio::test]
async fn a_budget_of_zero_allows_nothing() {
    let runtime = builder().tool(noop()).build().unwrap();
    Case::new("from hermes_tools import noop\nprint(noop())")
        .on(&runtime)
        .max_tool_calls(0)
        .run()
        .await
        .output("{'error': 'Tool call limit reached (0). No more tool calls allowed in this execution.'}\n")
        .tool_calls(0);
}

#[tokio::test]
async fn ten_thousand_calls_are_as_good_as_one() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    Case::new("from hermes_tools import echo\nprint(sum(echo(str(i)) == {'text': str(i)} for i in range(10_000)))")
        .on(&runtime)
        .max_tool_calls(1_000_000)
        .run()
        .await
        .succeeds()
        .output("10000\n")
        .tool_calls(10_000);
}

#[tokio::test]
async fn only_the_enabled_tools_can_be_imported() {
    let finished = Case::new("import hermes_tools\nprint(hermes_tools.__all__)")
        .tools(["terminal"])
        .run()
        .await;
    finished
        .succeeds()
        .output("['json_parse', 'retry', 'shell_quote', 'terminal']\n");
    every_row(
        [
            "execute_code",
            "delegate_task",
            "read_file",
            "memory",
            "browser",
        ],
        async |name| {
            Case::new(format!("import hermes_tools; hermes_tools.{name}"))
                .tools(["terminal"])
                .run()
                .await
                .raises(&format!(
                    "AttributeError: module 'hermes_tools' has no attribute '{name}'"
                ));
        },
    )
    .await;
}

#[tokio::test]
async fn every_tool_but_terminal_is_there_unless_the_host_says_otherwise() {
    if is_for_strict_only("in project mode `terminal` is among the tools") {
        return;
    }
    Case::new("import hermes_tools\nprint(hermes_tools.__all__)").run().await.succeeds().output(
        "['json_parse', 'patch', 'read_file', 'retry', 'search_files', 'shell_quote', 'web_extract', 'web_search', 'write_file']\n",
    );
    Case::new("from hermes_tools import terminal")
        .run()
        .await
        .raises("ImportError: cannot import name 'terminal' from 'hermes_tools' (<hermes_tools>)");
}

#[tokio::test]
async fn an_enabled_list_without_overlap_gives_no_tools() {
    if is_for_strict_only("in project mode such a list stands for all tools") {
        return;
    }
    every_row(
        [
            Case::new("import hermes_tools\nprint(hermes_tools.__all__)").tools(["browser"]),
            Case::new("import hermes_tools\nprint(hermes_tools.__all__)").tools([]),
        ],
        async |case| {
            case.run()
                .await
                .succeeds()
                .output("['json_parse', 'retry', 'shell_quote']\n");
        },
    )
    .await;
}

#[tokio::test]
async fn a_call_past_the_module_meets_the_allow_list() {
    Case::new("import _hermes\nfor name in ('delegate_task', 'terminal', 'read_file ', '', 'READ_FILE', 'ｒead_file'): print(_hermes.call(name, '{}'))")
        .tools(["web_search"])
        .run()
        .await
        .succeeds()
        .output(
            &["delegate_task", "terminal", "read_file ", "", "READ_FILE", "ｒead_file"]
                .map(|name| format!("{{\"error\":\"Tool '{name}' is not available in execute_code. Available: web_search\"}}\n"))
                .concat(),
        )
        .tool_calls(0);
}

#[tokio::test]
async fn the_parameters_that_terminal_may_not_have_never_reach_it() {
    let shown = Scripted::new("terminal", |arguments, _| ToolReply::json(&arguments));
    let runtime = builder().tool(shown).build().unwrap();
    let blocked = "background, pty, notify, notify_on_complete, watch_patterns, heartbeat, persist_on_release";
    let code = format!(
        "import _hermes, json\narguments = dict(dict.fromkeys('{blocked}'.split(', '), True), command='ls')\nprint(_hermes.call('terminal', json.dumps(arguments)))"
    );
    Case::new(code)
        .on(&runtime)
        .tools(["terminal"])
        .run()
        .await
        .succeeds()
        .output("{\"command\":\"ls\"}\n");
}

#[tokio::test]
async fn a_failure_is_an_error_dict_and_never_an_exception() {
    let runtime = builder()
        .tool(Scripted::new("fail", |_, _| Err(ToolError::new("denied"))))
        .tool(Scripted::new("blow_up", |_, _| panic!("on purpose")))
        .build()
        .unwrap();
    let finished =
        Case::new("from hermes_tools import blow_up, fail\nprint(fail(), blow_up(), fail())")
            .on(&runtime)
            .run()
            .await;
    finished
        .succeeds()
        .output("{'error': 'denied'} {'error': 'tool `blow_up` panicked'} {'error': 'denied'}\n")
        .tool_calls(3);
    let shown: Vec<_> = finished
        .outcome()
        .tool_errors
        .iter()
        .map(|failure| (failure.tool.as_str(), failure.error.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("fail", "denied"),
            ("blow_up", "tool `blow_up` panicked"),
            ("fail", "denied")
        ]
    );
}

#[tokio::test]
async fn at_most_five_failures_are_shown_each_of_at_most_three_hundred_characters() {
    let runtime = builder()
        .tool(Scripted::new("fail", |_, _| {
            Err(ToolError::new("é".repeat(1_000)))
        }))
        .build()
        .unwrap();
    let finished = Case::new("from hermes_tools import fail\nfor _ in range(9): fail()")
        .on(&runtime)
        .run()
        .await;
    finished.succeeds().tool_calls(9);
    let errors: Vec<_> = finished
        .outcome()
        .tool_errors
        .iter()
        .map(|failure| failure.error.clone())
        .collect();
    assert_eq!(errors, vec!["é".repeat(300); 5]);
}

#[tokio::test]
async fn a_call_by_what_an_earlier_cell_left_over_uses_the_present_cells_right() {
    let session = Session::on(&builder().tool(noop()).build().unwrap());
    session
        .run("from hermes_tools import noop\ndef call(): return noop()")
        .await
        .succeeds()
        .tool_calls(0);
    session
        .run("print(call())")
        .await
        .succeeds()
        .output("{}\n")
        .tool_calls(1);
}

#[tokio::test]
async fn a_thread_that_is_left_over_calls_under_the_cell_that_lets_it_run() {
    let session = Session::on(&builder().tool(noop()).build().unwrap());
    session
        .run("import threading\nfrom hermes_tools import noop\ngo = threading.Event()\nseen = []\ndef late():\n    go.wait()\n    seen.append(noop())\nthread = threading.Thread(target=late, daemon=True)\nthread.start()")
        .await
        .succeeds()
        .tool_calls(0);
    session
        .run("go.set()\nthread.join()\nprint(seen)")
        .await
        .succeeds()
        .output("[{}]\n")
        .tool_calls(1);
}

#[tokio::test]
async fn the_web_tools_do_not_reach_the_host_itself() {
    Case::new(
        "from hermes_tools import web_extract\nfor url in ('http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/', 'http://0x7f000001:1/', 'file:///etc/passwd'):\n    print(web_extract([url])['results'][0]['error'])\nprint(web_extract([]))",
    )
    .run()
    .await
    .succeeds()
    .output(&format!(
        "{}{{'error': 'Content was inaccessible or not found'}}\n",
        "Blocked: URL targets a private or internal network address\n".repeat(5)
    ))
    .tool_calls(6);
}
