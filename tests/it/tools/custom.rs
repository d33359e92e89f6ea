//! Tools that a host adds: proper Python functions with a signature and a docstring.

use hermes_runtime::{RuntimeError, ToolError, ToolReply};
use hermes_tests::{Case, Scripted, Session, builder, every_row, is_for_strict_only};
use serde_json::json;

fn weather() -> Scripted {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of the city."},
            "days": {"type": "integer", "default": 3, "description": "Days ahead."},
            "units": {"type": ["string", "null"], "default": null},
            "detailed": {"type": "boolean", "default": false},
            "tags": {"type": "array", "default": []},
        },
        "required": ["city"],
    });
    Scripted::new("weather", |arguments, _| ToolReply::json(&arguments))
        .described("Tells the weather.")
        .taking(schema)
}

#[tokio::test]
async fn a_tool_is_a_function_with_signature_and_docstring() {
    let runtime = builder().tool(weather()).build().unwrap();
    Case::new("import inspect\nfrom hermes_tools import weather\nprint(inspect.signature(weather))\nprint(inspect.getdoc(weather))\nprint(weather.__name__, weather.__module__)")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output(
            "(city: str, days: int = 3, units: str = None, detailed: bool = False, tags: list = [])\n\
             Tells the weather.\ncity: Name of the city.\ndays: Days ahead.\nweather hermes_tools\n",
        );
}

#[tokio::test]
async fn a_call_sends_every_parameter_and_returns_parsed_json() {
    let runtime = builder().tool(weather()).build().unwrap();
    Case::new("from hermes_tools import weather\nprint(weather('Oslo'))\nprint(weather(days=1, city='Rome', units='K', detailed=True, tags=['a']))")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output(
            "{'city': 'Oslo', 'days': 3, 'units': None, 'detailed': False, 'tags': []}\n\
             {'city': 'Rome', 'days': 1, 'units': 'K', 'detailed': True, 'tags': ['a']}\n",
        )
        .tool_calls(2);
}

#[tokio::test]
async fn values_cross_as_they_are() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    every_row([
        "None", "True", "0", "-1", "10**30", "1.5", "1e300", "'é漢🐍'", "'\\x00\\x7f\\n'", "''", "[]", "{}", "[1, [2, [3]]]", "{'a': {'b': [None]}}", "'\"\\\\'",
    ], async |value| {
        let code = format!("from hermes_tools import echo\nvalue = {value}\nprint(echo(value)['text'] == value, type(echo(value)['text']) is type(value))");
        Case::new(code).on(&runtime).run().await.succeeds().output("True True\n");
    })
    .await;
}

#[tokio::test]
async fn values_that_json_cannot_hold_are_answered_as_bad_arguments() {
    let session = Session::on(&builder().tool(Scripted::echo()).build().unwrap());
    session
        .run("import datetime, decimal\nfrom hermes_tools import echo\ncircle = []\ncircle.append(circle)\ndeep = []\nfor _ in range(100_000): deep = [deep]")
        .await
        .succeeds();
    let of_type = |name: &str| format!("Object of type {name} is not JSON serializable");
    let rows = [
        ("{1}", of_type("set")),
        ("b'x'", of_type("bytes")),
        ("object", of_type("type")),
        ("1j", of_type("complex")),
        ("[{'a': decimal.Decimal(1)}]", of_type("Decimal")),
        ("datetime.date(2000, 1, 1)", of_type("date")),
        (
            "{(1, 2): 3}",
            "keys must be str, int, float, bool or None, not tuple".to_owned(),
        ),
        ("circle", "Circular reference detected".to_owned()),
    ];
    every_row(rows, async |(value, reason)| {
        session
            .run(format!("print(echo({value}))"))
            .await
            .succeeds()
            .output(&format!(
                "{{'error': 'echo: the arguments cannot be sent: {reason}'}}\n"
            ))
            .tool_calls(0);
    })
    .await;
    session
        .run("print(echo(deep)['error'][:36])\nprint(echo(10**5000)['error'][:36])")
        .await
        .succeeds()
        .output("echo: the arguments cannot be sent: \necho: the arguments cannot be sent: \n")
        .tool_calls(0);
    session
        .run("import pathlib\nprint(echo(pathlib.PurePosixPath('a') / 'b'))\nprint(echo([{'p': pathlib.PurePosixPath('/c')}]))")
        .await
        .succeeds()
        .output("{'text': 'a/b'}\n{'text': [{'p': '/c'}]}\n");
    session
        .run("echo(other=1)")
        .await
        .raises("TypeError: echo() got an unexpected keyword argument 'other'");
    session
        .run("from hermes_tools import echo\nprint(echo(float('nan')))\nprint(echo('\\ud800'))\na = []\nfor _ in range(900): a = [a]\nprint(echo(a))")
        .await
        .succeeds()
        .output(
            "{'error': 'Invalid RPC request: NaN is not valid JSON (line 1, column 9)'}\n\
             {'error': \"echo: the arguments contain a lone surrogate character ('\\\\ud800') that cannot be encoded as UTF-8.\"}\n\
             {'error': 'Invalid RPC request: recursion limit exceeded (line 1, column 135)'}\n",
        )
        .tool_calls(0);
}

#[tokio::test]
async fn an_answer_that_is_a_json_text_is_parsed_once_more() {
    let runtime = builder()
        .tool(Scripted::new("twice", |_, _| {
            ToolReply::json(&"{\"a\": [1]}")
        }))
        .tool(Scripted::new("plain", |_, _| ToolReply::json(&"no json {")))
        .tool(Scripted::new("number", |_, _| Ok(ToolReply::raw("12"))))
        .build()
        .unwrap();
    Case::new(
        "from hermes_tools import number, plain, twice\nprint(twice(), repr(plain()), number())",
    )
    .on(&runtime)
    .run()
    .await
    .succeeds()
    .output("{'a': [1]} 'no json {' 12\n");
}

#[tokio::test]
async fn a_tool_replaces_a_built_in_one_of_its_name() {
    let runtime = builder()
        .tool(Scripted::new("web_search", |_, _| {
            ToolReply::json(&json!({"mine": true}))
        }))
        .build()
        .unwrap();
    Case::new("from hermes_tools import web_search\nprint(web_search())")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output("{'mine': True}\n");
}

#[tokio::test]
async fn a_tool_that_is_left_out_is_not_there() {
    if is_for_strict_only("in project mode `terminal` is among the tools") {
        return;
    }
    let runtime = builder().without_tool("write_file").build().unwrap();
    assert!(!runtime.tools().contains(&"write_file".to_owned()));
    let finished = Case::new("from hermes_tools import write_file")
        .on(&runtime)
        .run()
        .await;
    finished.raises("ImportError: cannot import name 'write_file' from 'hermes_tools' (<hermes_tools>)").hint(Some(
        "'write_file' is not available inside the execute_code sandbox. Importable tools here: patch, read_file, search_files, web_extract, \
         web_search. For anything else, use the normal tool call instead of execute_code.",
    ));
}

#[tokio::test]
async fn a_tool_whose_name_python_cannot_call_is_refused_when_the_runtime_is_built() {
    for (name, message) in [
        (
            "no-name",
            "tool name 'no-name' is not a Python identifier; use ASCII letters, digits and underscores, start with a letter, and avoid Python's keywords",
        ),
        (
            "execute_code",
            "tool name 'execute_code' is reserved; choose another name",
        ),
        (
            "retry",
            "tool name 'retry' is reserved; choose another name",
        ),
    ] {
        let error = builder()
            .tool(Scripted::new(name, |_, _| Err(ToolError::new("never"))))
            .build()
            .unwrap_err();
        assert!(matches!(error, RuntimeError::ToolName(_)));
        assert_eq!(error.to_string(), message);
    }
}

#[tokio::test]
async fn parameters_that_python_cannot_spell_are_given_by_name() {
    let schema = json!({"type": "object", "properties": {"class": {"type": "string"}, "x-y": {"type": "integer"}, "ok": {}}});
    let runtime = builder()
        .tool(Scripted::new("odd", |arguments, _| ToolReply::json(&arguments)).taking(schema))
        .build()
        .unwrap();
    Case::new("from hermes_tools import odd\nprint(odd(ok=1, **{'class': 'c', 'x-y': 2}))")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output("{'ok': 1, 'class': 'c', 'x-y': 2}\n");
}

#[tokio::test]
async fn a_description_cannot_break_out_of_its_docstring() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "default": "'); print('broken'); ('", "description": "\"\"\"\nprint('broken')"}}});
    let tool = Scripted::new("tricky", |arguments, _| ToolReply::json(&arguments))
        .described("'''\"\"\"\nprint('broken')\\")
        .taking(schema);
    let runtime = builder().tool(tool).build().unwrap();
    Case::new("from hermes_tools import tricky\nprint(tricky())")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output("{'a': \"'); print('broken'); ('\"}\n");
}

#[tokio::test]
async fn a_tool_knows_the_session_of_the_cell() {
    let who = Scripted::new("who", |_, context| ToolReply::json(&context.session()));
    let session = Session::on(&builder().tool(who).build().unwrap());
    session
        .run("from hermes_tools import who\nprint(who())")
        .await
        .succeeds()
        .output(&format!("{}\n", session.name()));
}
