//! Secrets in what a script prints.

use hermes_tests::{Case, builder, every_row};

#[tokio::test]
async fn known_shapes_of_secrets_are_masked() {
    every_row(
        [
            ("sk-proj-abcdefghijklmnopqrstuv", "sk-pro...stuv"),
            ("sk-abcdefghij", "***"),
            ("ghp_abcdefghijklmnopqrst", "ghp_ab...qrst"),
            ("+14155552671", "+141****2671"),
            ("https://abcdefghijklmnop@h/x", "https://***@h/x"),
            (
                "bot123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "bot123456789:***",
            ),
            ("token=abc&x=1", "token=***&x=1"),
            ("postgresql://u:secret@h/db", "postgresql://u:***@h/db"),
            (
                "Authorization: Bearer abcdefghijklmnopqrstuvwx",
                "Authorization: Bearer abcdef...uvwx",
            ),
            ("AKIAABCDEFGHIJKLMNOP", "AKIAAB...MNOP"),
        ],
        async |(printed, shown)| {
            Case::new(format!("print({printed:?}, end='')"))
                .run()
                .await
                .succeeds()
                .output(shown);
        },
    )
    .await;
}

#[tokio::test]
async fn code_and_settings_stay_as_they_are() {
    every_row(
        [
            "MAX_TOKENS=4096; key = os.getenv(\"OPENAI_API_KEY\")",
            "{\"apiKey\": \"x\"}",
            "postgresql://{user}:{pw}@{host}",
            "MAX_TOKENS=100",
            "KEYBOARD=us",
            "process.env.API_KEY",
            "sk-short",
            "https://example.org/?token=abc",
        ],
        async |text| {
            Case::new(format!("print({text:?}, end='')"))
                .run()
                .await
                .succeeds()
                .output(text);
        },
    )
    .await;
}

#[tokio::test]
async fn values_of_the_vault_are_always_masked() {
    let runtime = builder()
        .redact_secrets(false)
        .vault(["correct horse"])
        .build()
        .unwrap();
    Case::new("print('correct' + ' horse', 'ghp_abcdefghijklmnopqrst')")
        .on(&runtime)
        .run()
        .await
        .succeeds()
        .output("«redacted-vault-secret» ghp_abcdefghijklmnopqrst\n");
}

#[tokio::test]
async fn a_secret_at_the_edge_of_the_shown_part_is_masked() {
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    every_row([19_970, 19_990, 19_999, 49_980], async |before| {
        let finished = Case::new(format!(
            "print('.' * {before} + ' {token} ' + '.' * 60_000)"
        ))
        .run()
        .await;
        finished.succeeds();
        assert!(
            !finished.outcome().output.contains("ghp_abcdefg"),
            "{before}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_script_cannot_switch_redaction_off() {
    Case::new("import os\nos.environ['HERMES_REDACT_SECRETS'] = 'false'\nprint('ghp_abcdefghijklmnopqrst')").run().await.succeeds().output("ghp_ab...qrst\n");
}
