//! Modules and compiled forms that are missing, damaged or foreign, and the command that looks after them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use hermes_tests::Cli;
use serde_json::json;

use super::copy::Copy;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn show_names_the_module_and_its_compiled_form() {
    let copy = Copy::new();
    let shown = copy.cli(["artifact"]).run();
    shown.exits(0).reports("");
    let sha256 = copy.manifest["sha256"].as_str().unwrap();
    for line in [
        format!("module:    {}", copy.module().display()),
        format!("sha256:    {sha256}"),
        "CPython:   3.13.5".to_owned(),
        "metering:  epoch".to_owned(),
    ] {
        assert!(
            shown.stdout.lines().any(|found| found == line),
            "no line {line:?} in {shown:?}"
        );
    }
    assert!(shown.stdout.contains("(not there yet)"), "{shown:?}");
}

#[test]
fn check_compares_the_module_with_its_manifest() {
    let copy = Copy::new();
    let sha256 = copy.manifest["sha256"].as_str().unwrap();
    copy.cli(["artifact", "check"])
        .run()
        .exits(0)
        .prints(&format!(
            "{} matches its manifest: {sha256}\n",
            copy.module().display()
        ));
    copy.damage();
    let damaged = copy.cli(["artifact", "check"]).run();
    damaged
        .exits(125)
        .prints("")
        .reports_line_with("is damaged: its SHA-256 is ")
        .reports_line_with("hint: rebuild it with `make artifact`");
}

#[test]
fn a_compiled_form_is_made_once_and_closed_to_others() {
    let copy = Copy::new();
    copy.cli(["run", "-c", "print(1)"])
        .run()
        .exits(0)
        .prints("1\n");
    assert_eq!(mode(&copy.cache()), 0o700);
    let compiled = copy.compiled();
    assert_eq!(mode(&compiled) & 0o077, 0);
    let made = fs::metadata(&compiled).unwrap().modified().unwrap();
    copy.cli(["run", "-c", "print(2)"])
        .run()
        .exits(0)
        .prints("2\n");
    assert_eq!(fs::metadata(&compiled).unwrap().modified().unwrap(), made);
    copy.cli(["artifact", "rebuild"])
        .run()
        .exits(0)
        .prints(&format!("{}\n", compiled.display()))
        .reports_line_with("compiled in ");
    copy.cli(["run", "-c", "print(3)"])
        .run()
        .exits(0)
        .prints("3\n");
}

#[test]
fn a_damaged_compiled_form_is_made_anew() {
    let copy = Copy::new();
    copy.cli(["run", "-c", "1"]).run().exits(0);
    let compiled = copy.compiled();
    let size = fs::metadata(&compiled).unwrap().len();
    for damage in [
        Vec::new(),
        b"not compiled code".to_vec(),
        fs::read(&compiled).unwrap()[..4_096].to_vec(),
    ] {
        fs::write(&compiled, damage).unwrap();
        copy.cli(["run", "-c", "print('healthy')"])
            .run()
            .exits(0)
            .prints("healthy\n");
    }
    assert_eq!(fs::metadata(copy.compiled()).unwrap().len(), size);
}

#[test]
fn a_cache_that_others_can_write_is_not_trusted() {
    let copy = Copy::new();
    fs::create_dir(copy.cache()).unwrap();
    fs::set_permissions(copy.cache(), fs::Permissions::from_mode(0o777)).unwrap();
    let ended = copy.cli(["run", "-c", "print('healthy')"]).run();
    ended
        .exits(0)
        .prints("healthy\n")
        .reports_line_with("belongs to another user or can be written by others");
    assert_eq!(fs::read_dir(copy.cache()).unwrap().count(), 0);
}

#[test]
fn a_cache_that_is_a_file_is_not_used() {
    let copy = Copy::new();
    fs::write(copy.cache(), "a file").unwrap();
    copy.cli(["run", "-c", "print('healthy')"])
        .run()
        .exits(0)
        .prints("healthy\n");
    assert_eq!(fs::read_to_string(copy.cache()).unwrap(), "a file");
}

#[test]
fn a_damaged_module_is_never_compiled() {
    let copy = Copy::new();
    copy.damage();
    copy.cli(["run", "-c", "1"])
        .run()
        .exits(125)
        .prints("")
        .reports_line_with("is damaged: its SHA-256 is ");
    let json = copy.cli(["run", "--json", "-c", "1"]).run();
    json.exits(125).reports("");
    assert!(
        json.json()["error"]
            .as_str()
            .unwrap()
            .contains("is damaged: its SHA-256 is "),
        "{json:?}"
    );
}

#[test]
fn a_module_that_is_missing_or_foreign_is_named() {
    let copy = Copy::new();
    fs::remove_file(copy.module()).unwrap();
    copy.cli(["run", "-c", "1"])
        .run()
        .exits(125)
        .prints("")
        .reports_line_with("error: cannot read `");
    // Bytes that are no module, and a module that holds nothing, each with a manifest that fits it.
    let foreign: [(&[u8], &str, &str); 2] = [
        (
            b"not wasm",
            "dc0cbbe931352caad7a936203e1d540bb96efc8aaafbf760fb94774364aeac06",
            "error: cannot compile the guest module",
        ),
        (
            b"\0asm\x01\0\0\0",
            "93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476",
            "error: the guest module is not one of this program's",
        ),
    ];
    for (bytes, sha256, message) in foreign {
        fs::write(copy.module(), bytes).unwrap();
        let mut manifest = copy.manifest.clone();
        manifest["sha256"] = json!(sha256);
        manifest["size"] = json!(bytes.len());
        copy.write_manifest(&manifest.to_string());
        copy.cli(["run", "-c", "1"])
            .run()
            .exits(125)
            .prints("")
            .reports_line_with(message)
            .reports_line_with("hint: rebuild it with `make artifact`");
    }
}

#[test]
fn the_option_names_another_artifact() {
    let copy = Copy::new();
    let place = copy.place.path().to_str().unwrap();
    Cli::new(["run", "--artifact", place, "-c", "print(1)"])
        .env("HERMES_CACHE_DIR", copy.cache())
        .env("HERMES_ARTIFACT_DIR", "/nowhere")
        .run()
        .exits(0)
        .prints("1\n");
    Cli::new(["artifact", "--artifact", "/nowhere"])
        .run()
        .exits(125)
        .reports_line_with("no guest artifact found (searched `/nowhere`)");
}

#[test]
fn an_empty_variable_is_as_good_as_none() {
    let cache = tempfile::tempdir().unwrap();
    let show = || {
        Cli::new(["artifact"])
            .env("XDG_CACHE_HOME", cache.path())
            .env_remove("HERMES_ARTIFACT_DIR")
            .env_remove("HERMES_CACHE_DIR")
    };
    let unset = show().run();
    let place = cache.path().join("hermes-runtime");
    unset.exits(0).reports("");
    assert!(unset.stdout.contains(place.to_str().unwrap()), "{unset:?}");
    for name in ["HERMES_ARTIFACT_DIR", "HERMES_CACHE_DIR"] {
        show()
            .env(name, "")
            .run()
            .exits(0)
            .prints(&unset.stdout)
            .reports("");
    }
}
