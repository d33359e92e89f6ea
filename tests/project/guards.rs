//! What a host's guards refuse before anything of a script runs, and in which order.

use hermes_runtime::{ExecutionContext, Gateway, HostPolicy, Mode, Request, Runtime};
use hermes_tests::{builder, project_options};
use serde_json::{Value, json};
use tempfile::TempDir;

const ENDING: &str = "import os\nos.system('hermes gateway restart')";

/// Returns a gateway that a service manager runs, as this process, and the place of its file.
fn supervised() -> (Gateway, TempDir) {
    let place = tempfile::tempdir().unwrap();
    let mut gateway = Gateway::new(place.path().join("gateway.pid"));
    std::fs::write(&gateway.pid_file, std::process::id().to_string()).unwrap();
    gateway.is_managed = Some(true);
    (gateway, place)
}

/// Returns the error of a call; an empty text where it ran.
async fn error(runtime: &Runtime, arguments: &Value) -> String {
    let request = match Request::from_arguments(arguments) {
        Ok(request) => request,
        Err(refusal) => return refusal.to_string(),
    };
    match runtime.execute(request).await {
        Ok(_) => String::new(),
        Err(refusal) => {
            let json: Value = serde_json::from_str(&refusal.to_json()).unwrap();
            json["error"].as_str().unwrap().to_owned()
        }
    }
}

#[tokio::test]
async fn the_guards_refuse_in_their_order() {
    let (gateway, _place) = supervised();
    let mut host = HostPolicy::default();
    host.is_unavailable = true;
    host.terminal_policy_error = Some("profile `work` has no config".to_owned());
    host.gateway = Some(gateway);
    let build = |host: &HostPolicy| {
        let builder = builder().host(host.clone());
        let context = ExecutionContext::gateway();
        builder.execution_context(context).build().unwrap()
    };
    // Each call has every reason to be refused but those that were told before.
    let runtime = build(&host);
    for (arguments, expected) in [
        (
            json!({"command": "ls"}),
            "execute_code received a 'command' parameter, but it requires Python source in 'code'.",
        ),
        (
            json!({"code": ["a"]}),
            "execute_code received a list in 'code'",
        ),
        (json!({"code": ""}), "execute_code sandbox is unavailable"),
    ] {
        let told = error(&runtime, &arguments).await;
        assert!(told.starts_with(expected), "{told}");
    }
    host.is_unavailable = false;
    let told = error(&build(&host), &json!({"code": ""})).await;
    assert_eq!(
        told,
        "execute_code refused: terminal policy unavailable for this profile: profile `work` has no config (profile terminal policy unresolved; fix the profile's config.yaml / .env and retry)"
    );
    host.terminal_policy_error = None;
    let runtime = build(&host);
    for (code, expected) in [
        (json!(""), "No code provided."),
        (json!("  \n"), "No code provided."),
        (json!(null), "No code provided."),
        (
            json!(ENDING),
            "Blocked: cannot restart or stop the gateway from inside",
        ),
        (
            json!("print(1)"),
            "BLOCKED: Failed to send execute_code approval request",
        ),
    ] {
        let told = error(&runtime, &json!({"code": code})).await;
        assert!(told.starts_with(expected), "{code}: {told}");
    }
    assert_eq!(runtime.sessions(), 0);
}

#[tokio::test]
async fn code_of_another_type_is_named_in_project_mode_too() {
    let runtime = builder().build().unwrap();
    for (code, name) in [
        (json!(["a"]), "list"),
        (json!({"a": 1}), "dict"),
        (json!(1), "int"),
        (json!(true), "bool"),
        (json!(1.5), "float"),
    ] {
        assert_eq!(
            error(&runtime, &json!({"code": code})).await,
            format!(
                "execute_code received a {name} in 'code', but it requires Python source as a string. Retry as execute_code(code=\"...\")."
            )
        );
    }
}

#[tokio::test]
async fn only_a_supervised_gateway_minds_scripts_that_end_it() {
    let (gateway, place) = supervised();
    // The script only names the command.
    let script = "text = 'hermes gateway restart'";
    let other = place.path().join("other.pid");
    std::fs::write(&other, "1").unwrap();
    let mut of_another = gateway.clone();
    of_another.pid_file = other;
    let mut unmanaged = gateway.clone();
    unmanaged.is_managed = Some(false);
    for (gateway, is_refused) in [
        (Some(gateway), true),
        (Some(of_another), false),
        (Some(unmanaged), false),
        (None, false),
    ] {
        let mut host = HostPolicy::default();
        host.gateway = gateway;
        let runtime = builder().host(host).build().unwrap();
        let told = error(&runtime, &json!({"code": script})).await;
        assert_eq!(told.starts_with("Blocked: "), is_refused, "{told}");
    }
}

#[tokio::test]
async fn a_script_of_the_sandbox_is_not_asked_about() {
    let runtime = builder()
        .mode(Mode::Strict)
        .project(project_options())
        .execution_context(ExecutionContext::cron())
        .build()
        .unwrap();
    let told = error(&runtime, &json!({"code": "print(1)"})).await;
    assert_eq!(told, "");
    let told = error(&runtime, &json!({"code": "print(1)", "mode": "project"})).await;
    assert!(told.contains("approvals.cron_mode"), "{told}");
}
