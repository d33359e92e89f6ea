use super::*;
use proptest::prelude::*;

/// One secret of each shape, with what the code-file profile and the file-read profile show of it.
const SECRETS: [(&str, &str, &str); 16] = [
    (
        "sk-proj-abcdefghijklmnopqrstuv",
        "sk-pro...stuv",
        "«redacted:sk-…»",
    ),
    (
        "ghp_abcdefghijklmnopqrst",
        "ghp_ab...qrst",
        "«redacted:ghp_…»",
    ),
    (
        "ghp_abcdefg\u{200b}hijklmnopqrst",
        "ghp_ab...qrst",
        "«redacted:ghp_…»",
    ),
    (
        "0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNOP",
        "012345...MNOP",
        "«redacted-secret»",
    ),
    (
        "Authorization: Bearer abcdefgh12",
        "Authorization: Bearer ***",
        "Authorization: Bearer «redacted-secret»",
    ),
    (
        "Authorization: Bearer ghp_abcdefghijklmnopqrst",
        "Authorization: Bearer ghp_ab...qrst",
        "Authorization: Bearer «redacted:ghp_…»",
    ),
    (
        "x-api-key: abcdefgh12",
        "x-api-key: ***",
        "x-api-key: «redacted-secret»",
    ),
    (
        "bot123456789:AAabcdefghijklmnopqrstuvwxyz_12345",
        "bot123456789:***",
        "bot123456789:«redacted-secret»",
    ),
    (
        "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
        "[REDACTED PRIVATE KEY]",
        "«redacted-secret»\n«redacted-secret»\n«redacted-secret»",
    ),
    (
        "postgresql://u:secret@h/db",
        "postgresql://u:***@h/db",
        "postgresql://u:«redacted-secret»@h/db",
    ),
    (
        "https://abcdefghijklmnop@h/x",
        "https://***@h/x",
        "https://«redacted-secret»@h/x",
    ),
    (
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "eyJhbG...dXJl",
        "«redacted-secret»",
    ),
    (
        "token=abc&x=1",
        "token=***&x=1",
        "token=«redacted-secret»&x=1",
    ),
    ("+14155552671", "+141****2671", "«redacted-secret»"),
    (
        "gAAAABabcdefghijklmnopqrst==",
        "gAAAAB...st==",
        "«redacted:gAAAA…»",
    ),
    (
        "https://u:password@h/x",
        "https://u:password@h/x",
        "https://u:password@h/x",
    ),
];

/// Source code whose names and fixtures look like secrets from afar.
const CODE: [&str; 10] = [
    "MAX_TOKENS=4096; key = os.getenv(\"OPENAI_API_KEY\")\n",
    "MAX_TOKENS=100",
    "apiKey: \"x\"",
    "{\"apiKey\": \"x\"}",
    "const key = process.env.OPENAI_API_KEY;",
    "KEYBOARD=us",
    "MONKEY=1 TOKENIZER=bpe",
    "postgresql://{user}:{pw}@{host}",
    "headers = {\"Authorization\": f\"Bearer {token}\"}",
    "https://h/callback?token=abcdef12345&code=1",
];

/// Secrets that go over the end of a line.
const LONG_SECRETS: [&str; 4] = [
    "first\nsecond",
    "ghp_abcd1234\nefgh5678IJKL",
    "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nAbCdEfGhIjKlMnOpQrSt==",
];

#[test]
fn every_line_of_a_secret_in_a_file_has_its_sentinel() {
    let redactor = Redactor::new(true, vec![LONG_SECRETS[0].to_owned()]);
    for text in LONG_SECRETS {
        let clean = redactor.redact(text, Profile::FileRead);
        assert_eq!(clean.lines().count(), text.lines().count(), "{clean}");
        assert!(clean.lines().all(|line| line.starts_with('«')), "{clean}");
    }
}

proptest! {
    #[test]
    fn a_file_keeps_the_number_of_its_lines(
        pieces in prop::collection::vec(0..SECRETS.len() + LONG_SECRETS.len() + 4, 0..12),
        separator in prop::sample::select(vec!["", "\n", "\r\n", ": ", "=\n", "\"\n\""]),
    ) {
        let redactor = Redactor::new(true, vec![LONG_SECRETS[0].to_owned()]);
        let plain = ["password", "\"token\"", "{'api_key'", "\n"];
        let secrets = SECRETS.iter().map(|(text, _, _)| *text);
        let all: Vec<&str> = secrets.chain(LONG_SECRETS).chain(plain).collect();
        let text = pieces.iter().map(|&at| all[at]).collect::<Vec<_>>().join(separator);
        let clean = redactor.redact(&text, Profile::FileRead);
        prop_assert_eq!(clean.matches('\n').count(), text.matches('\n').count(), "{}", clean);
    }
}

#[test]
fn every_shape_is_masked_in_every_profile() {
    let redactor = Redactor::default();
    for (text, shown, sentinel) in SECRETS {
        assert_eq!(redactor.redact(text, Profile::CodeFile), shown);
        assert_eq!(
            redactor.redact(text, Profile::Terminal { dump: false }),
            shown
        );
        assert_eq!(
            redactor.redact(text, Profile::Terminal { dump: true }),
            shown
        );
        assert_eq!(redactor.redact(text, Profile::FileRead), sentinel);
    }
}

#[test]
fn code_stays_in_every_profile() {
    let redactor = Redactor::default();
    for text in CODE {
        for profile in [
            Profile::CodeFile,
            Profile::FileRead,
            Profile::Terminal { dump: true },
        ] {
            assert!(
                matches!(redactor.redact(text, profile), Cow::Borrowed(same) if same == text),
                "{text}"
            );
        }
    }
}

#[test]
fn assignments_are_masked_only_in_dumps_and_files() {
    let redactor = Redactor::default();
    let text = "STRIPE_KEY=opaque\n{\"password\": \"hunter2\"}\n";
    let code = redactor.redact(text, Profile::CodeFile);
    assert_eq!(code, text);
    let terminal = redactor.redact(text, Profile::for_command("make"));
    assert_eq!(terminal, text);
    let dump = redactor.redact(text, Profile::for_command("env"));
    assert_eq!(dump, "STRIPE_KEY=***\n{\"password\": \"***\"}\n");
    let file = redactor.redact(text, Profile::FileRead);
    assert_eq!(
        file,
        "STRIPE_KEY=«redacted-secret»\n{\"password\": \"«redacted-secret»\"}\n"
    );
}

#[test]
fn reprs_in_failures_are_masked_only_in_terminal_output() {
    let redactor = Redactor::default();
    let text = "E   assert {'api_key': 'abcdef'} == {}";
    assert_eq!(redactor.redact(text, Profile::CodeFile), text);
    assert_eq!(
        redactor.redact(text, Profile::Terminal { dump: false }),
        "E   assert {'api_key': '***'} == {}"
    );
}

#[test]
fn vault_values_are_hidden_even_when_redaction_is_off() {
    let vault = vec![
        "hunter2".to_owned(),
        String::new(),
        "hunter2-long".to_owned(),
        "vault".to_owned(),
    ];
    let off = Redactor::new(false, vault);
    assert_eq!(
        off.redact(
            "hunter2-long hunter2, vault; ghp_abcdefghijklmnopqrst",
            Profile::CodeFile
        ),
        "«redacted-vault-secret» «redacted-vault-secret», «redacted-vault-secret»; ghp_abcdefghijklmnopqrst"
    );
}

#[test]
fn overlapping_vault_values_are_hidden_by_the_first() {
    let redactor = Redactor::new(true, vec!["abcd".to_owned(), "cdef".to_owned()]);
    assert_eq!(
        redactor.redact("abcdef cdef", Profile::CodeFile),
        "«redacted-vault-secret»ef «redacted-vault-secret»"
    );
}

#[test]
fn a_vault_sentinel_is_not_masked_again() {
    let redactor = Redactor::new(true, vec!["s3cret-value".to_owned()]);
    for (text, shown) in [
        (
            "Authorization: Bearer s3cret-value",
            "Authorization: Bearer «redacted-vault-secret»",
        ),
        (
            "postgres://u:s3cret-value@h",
            "postgres://u:«redacted-vault-secret»@h",
        ),
        (
            "https://s3cret-value@h",
            "https://«redacted-vault-secret»@h",
        ),
        (
            "a=1&token=s3cret-value",
            "a=1&token=«redacted-vault-secret»",
        ),
        ("MY_TOKEN=s3cret-value", "MY_TOKEN=«redacted-vault-secret»"),
    ] {
        assert_eq!(redactor.redact(text, Profile::FileRead), shown);
    }
}

#[test]
fn nothing_is_masked_when_redaction_is_off() {
    let off = Redactor::new(false, Vec::new());
    for (text, _, _) in SECRETS {
        assert!(matches!(off.redact(text, Profile::FileRead), Cow::Borrowed(same) if same == text));
    }
}

#[test]
fn debug_shows_no_vault_value() {
    let redactor = Redactor::new(true, vec!["hunter2".to_owned()]);
    assert_eq!(
        format!("{redactor:?}"),
        "Redactor { enabled: true, vault: [1 redacted] }"
    );
}

fn any_profile() -> impl Strategy<Value = Profile> {
    prop_oneof![
        Just(Profile::CodeFile),
        Just(Profile::FileRead),
        Just(Profile::Terminal { dump: false }),
        Just(Profile::Terminal { dump: true }),
    ]
}

/// Text in which secrets, their masks, noise, syntax and words meet in any order.
fn dense_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        (0..SECRETS.len()).prop_map(|at| SECRETS[at].0.to_owned()),
        (0..SECRETS.len()).prop_map(|at| SECRETS[at].2.to_owned()),
        (0..CODE.len()).prop_map(|at| CODE[at].to_owned()),
        "[A-Z]{1,3}_(KEY|TOKEN|PASSWORD)[=:] ?[\"']?[a-z0-9]{0,20}[\"']?",
        "[ \\t\\n=:&\"'\\\\@/\\u{200b}\\x00.+-]{1,4}",
        "[a-zA-Z0-9]{1,12}",
        any::<char>().prop_map(String::from),
    ];
    // A mask may end where a token may begin, and the next walk would see that token: secrets keep a distance.
    let gap = prop_oneof![Just(" "), Just("\n"), Just(", "), Just(" \" ")];
    prop::collection::vec((piece, gap), 0..12).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, gap)| [piece, gap.to_owned()])
            .collect()
    })
}

proptest! {
    #[test]
    fn a_vault_value_never_survives(before in any::<String>(), after in any::<String>(), profile in any_profile()) {
        let redactor = Redactor::new(true, vec!["s3cret".to_owned()]);
        let text = format!("{before}s3cret{after}");
        prop_assert!(!redactor.redact(&text, profile).contains("s3cret"));
    }

    #[test]
    fn a_text_is_borrowed_unless_it_changes(text in dense_text(), profile in any_profile()) {
        if let Cow::Owned(shown) = Redactor::default().redact(&text, profile) {
            prop_assert_ne!(shown, text);
        }
    }

    // A dump is left out: the shown ends of a whole line may read like a line of their own.
    #[test]
    fn redacting_twice_changes_nothing_more(text in dense_text(), file in any::<bool>()) {
        let profile = if file { Profile::FileRead } else { Profile::CodeFile };
        let redactor = Redactor::default();
        let once = redactor.redact(&text, profile).into_owned();
        let twice = redactor.redact(&once, profile);
        prop_assert_eq!(&twice, &once);
    }

    #[test]
    fn a_bounded_secret_never_survives(before in "[ a-z\\n]{0,40}", after in "[ \\n,;][ a-z]{0,40}", secret in "ghp_[A-Za-z0-9]{20,40}", profile in any_profile()) {
        let text = format!("{before} {secret}{after}");
        let shown = Redactor::default().redact(&text, profile).into_owned();
        prop_assert!(!shown.contains(&secret));
    }

    #[test]
    fn prose_and_plain_code_stay(words in prop::collection::vec("[a-z]{1,9}|[0-9]{1,6}|[a-z]{1,6}\\([a-z]{0,6}\\)|[A-Z][a-z]{1,8}[.,!?]", 0..60), profile in any_profile()) {
        let text = words.join(" ");
        prop_assert_eq!(Redactor::default().redact(&text, profile), text.as_str());
    }
}
