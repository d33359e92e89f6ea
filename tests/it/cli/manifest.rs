//! Manifests of an artifact that are damaged, foreign or hostile.

use hermes_tests::every_row;
use serde_json::json;

use super::copy::Copy;

#[test]
fn a_manifest_that_is_none_is_named() {
    for text in [
        "",
        "{",
        "[]",
        "{\"module\": 7}",
        "\0\0\0",
        "{\"module\":\"m\"}",
    ] {
        let copy = Copy::new();
        copy.write_manifest(text);
        copy.cli(["run", "-c", "1"])
            .run()
            .exits(125)
            .prints("")
            .reports_line_with("is not a manifest of a guest artifact");
    }
}

#[test]
fn a_manifest_cannot_lead_out_of_its_directory() {
    let copy = Copy::new();
    let mut manifest = copy.manifest.clone();
    manifest["module"] = json!("../../../../etc/passwd");
    copy.write_manifest(&manifest.to_string());
    let ended = copy.cli(["run", "-c", "1"]).run();
    ended.exits(125).reports_line_with(&format!(
        "cannot read `{}`",
        copy.place.path().join("passwd").display()
    ));
}

#[tokio::test]
async fn a_manifest_with_a_hash_that_is_none_is_malformed() {
    let digits = "0123456789abcdef".repeat(4);
    let rows = [
        json!(""),
        json!(digits[1..]),
        json!(format!("{digits}0")),
        json!(digits.to_uppercase()),
        json!(format!("g{}", &digits[1..])),
        json!(format!("../{}", &digits[3..])),
        json!(7),
        json!(null),
    ];
    every_row(rows, async |sha256| {
        let copy = Copy::new();
        let mut manifest = copy.manifest.clone();
        manifest["sha256"] = sha256;
        copy.write_manifest(&manifest.to_string());
        copy.cli(["run", "-c", "1"])
            .run()
            .exits(125)
            .prints("")
            .reports_line_with("is not a manifest of a guest artifact")
            .reports_line_with("hint: rebuild it with `make artifact`");
    })
    .await;
}
