use proptest::prelude::*;

use super::*;
use crate::text::redact::Redactor;

fn shown_as(text: &str, kind: PromptKind) -> String {
    let vault = vec!["vault\nvalue".to_owned()];
    Redactor::new(true, vault).redact_prompt(text, kind).0
}

fn script(text: &str) -> String {
    shown_as(text, PromptKind::Script)
}

fn command(text: &str) -> String {
    shown_as(text, PromptKind::Command)
}

#[test]
fn plain_secrets_of_a_script_are_masked() {
    for (text, expected) in [
        (
            "key = 'sk-proj-abcdefghijklmnopqrstuv'\nx",
            "key = 'sk-pro...stuv'\nx",
        ),
        ("a vault\nvalue b", "a «redacted-vault-secret» b"),
        (
            "h = {\"Authorization\": \"Bearer ghp_abcdefghijklmnopqrst\"}",
            "h = {\"Authorization\": \"Bearer ghp_ab...qrst\"}",
        ),
        (
            "f'Bearer sk-proj-abcdefghijklmnopqrstuv {x}'",
            "f'Bearer sk-pro...stuv {x}'",
        ),
        (
            "'a\\nghp_abcdefghijklmnopqrst\\n'",
            "'a\\nghp_ab...qrst\\n'",
        ),
        (
            "t = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'",
            "t = 'eyJhbG...dXJl'",
        ),
        ("'gAAAABabcdefghijklmnopqrst=='", "'gAAAAB...qrst=='"),
        (
            "k = '''-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nAbCdEfGhIjKlMnOpQrSt==\n-----END PRIVATE KEY-----'''\n",
            "k = '''-----BEGIN PRIVATE KEY-----\n[REDACTED PRIVATE KEY]\n[REDACTED PRIVATE KEY]==\n-----END PRIVATE KEY-----'''\n",
        ),
        (
            "k = '''-----BEGIN PRIVATE KEY-----\n/IIEvQIBADAN+gkqhki/+AbC==\n-----END PRIVATE KEY-----'''\n",
            "k = '''-----BEGIN PRIVATE KEY-----\n/[REDACTED PRIVATE KEY]/[REDACTED PRIVATE KEY]==\n-----END PRIVATE KEY-----'''\n",
        ),
        (
            r"k = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----'",
            r"k = '-----BEGIN PRIVATE KEY-----\n[REDACTED PRIVATE KEY]\n-----END PRIVATE KEY-----'",
        ),
    ] {
        assert_eq!(script(text), expected, "{text}");
    }
}

#[test]
fn plain_secrets_of_a_command_are_masked() {
    for (text, expected) in [
        (
            "curl -H 'x-api-key: sk-proj-abcdefghijklmnopqrstuv' https://h",
            "curl -H 'x-api-key: sk-pro...stuv' https://h",
        ),
        (
            "curl \\\n -H \"Authorization: Bearer ghp_abcdefghijklmnopqrst\" -d '{\"token\":\"ghp_abcdefghijklmnopqrst\"}'",
            "curl \\\n -H \"Authorization: Bearer ghp_ab...qrst\" -d '{\"token\":\"ghp_ab...qrst\"}'",
        ),
        (
            "API_KEY=sk-proj-abcdefghijklmnopqrstuv TOKEN='ghp_abcdefghijklmnopqrst' python x.py",
            "API_KEY=sk-pro...stuv TOKEN='ghp_ab...qrst' python x.py",
        ),
        (
            "git clone https://u:ghp_abcdefghijklmnopqrst@h/x && git clone https://ghp_abcdefghijklmnopqrst@h/x",
            "git clone https://u:ghp_ab...qrst@h/x && git clone https://ghp_ab...qrst@h/x",
        ),
    ] {
        assert_eq!(command(text), expected, "{text}");
    }
}

#[test]
fn code_in_the_shape_of_a_secret_stays() {
    for text in [
        r#"exec("redis://a:print(1);x=open(home)@h"[10:-2])"#,
        r#"exec("redis://:evil_things(home)@h"[9:-2])"#,
        r#"exec("ssh://evil_things(home)@h"[6:-2])"#,
        "exec('''ftp://evil_things(home);more=1;open(home)@h'''[6:-2])",
        "(sk-shutil.rmtree)(path)",
        "(sk-abcdefghijklmnopqrstuv)(path)",
        "eyJabcdefghij.system.remove(x)",
        "exec('eyJabcdefghij.eyJabcdefghij.remove(x)')",
        "exec('eyJhbGciOiJIUzI1NiJ9.eyJhbGciOiJIUzI1NiJ9.remove_everything(x)')",
        "eyJhbGciOiJIUzI1NiJ9.eyJhbGciOiJIUzI1NiJ9.remove_everything",
        "d[87654321:delete_all_users_files_in_home-delete_x]",
        "exec('am_abcdefghijklmnopqrstuvwxyz()')",
        "am_abcdefghijklmnopqrstuvwxyz()",
        "os.kill(+1234567890, 9)",
        "x = 0123456789abcdef0123456789abcdef.ABCDEFGHIJKLMNOP()",
        "f'{sk-abcdefghijklmnopqrstuv}'",
        "f'{'sk-abcdefghijklmnopqrstuv'}'",
        "f\"{'}'+\"}\"+sk-abcdefghijklmnopqrstuv+\"{\"}\"",
        "# \r\"\"\"\n\"\"\" + sk-abcdefghijklmnopqrstuv + \"\"\"",
        "# 'sk-proj-abcdefghijklmnopqrstuv'",
        "# -----BEGIN PRIVATE KEY-----\nimport os; os.system('evil')\n# -----END PRIVATE KEY-----\nprint('hello')",
        "# -----BEGIN PRIVATE KEY-----\n(\nabcdefghijklmnopqrstuvwxyz\n)('rm -rf ~')",
        "'''-----BEGIN PRIVATE KEY-----'''\nabcdefghijklmnopqrstuvwxyz=abcdefghijklmnopqrstuvwxyz",
        "exec('''\n# -----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyz=abcdefghijklmnopqrstuvwxyz''')",
        "-----BEGIN PRIVATE KEY-----\nexec(\"x\")",
        "token=a(b)&x=c",
    ] {
        assert_eq!(script(text), text);
    }
}

#[test]
fn commands_in_the_shape_of_a_secret_stay() {
    for text in [
        "curl http://a:$(rm -rf ~)@h",
        "curl redis://a:$(rm${IFS}-rf${IFS}~)@h",
        "curl 'redis://a:'$(evil)'@h'",
        "sk-abcdefghijklmnopqrstuv x",
        "'sk-abcdefghijklmnopqrstuv' x",
        "sudo \"sk-abcdefghijklmnopqrstuv\" x",
        "FOO='a'X: sk-abcdefghijklmnopqrstuv'' x",
        "PATH=$PATH: sk-abcdefghijklmnopqrstuv",
        "X= sk-abcdefghijklmnopqrstuv",
        "=sk-abcdefghijklmnopqrstuv",
        "X=sk-abcdefghijklmnopqrstuv(){ rm -rf ~; }",
        "X=sk-abcdefghijklmnopqrstuv`evil`",
        "bash -c 'sk-abcdefghijklmnopqrstuv x'",
        "token=a;rm&x=b",
        "echo '-----BEGIN PRIVATE KEY-----'; rm -rf x; echo '-----END PRIVATE KEY-----'",
        "kill +1234567890",
    ] {
        assert_eq!(command(text), text);
    }
}

#[test]
fn of_paths_nothing_is_masked_but_values_of_the_vault() {
    let text = "/w/'sk-proj-abcdefghijklmnopqrstuv'/api_key=x/AGENTS.md";
    assert_eq!(shown_as(text, PromptKind::Paths), text);
    let secret = "/w/vault\nvalue/AGENTS.md";
    let expected = "/w/«redacted-vault-secret»/AGENTS.md";
    assert_eq!(shown_as(secret, PromptKind::Paths), expected);
}

#[test]
fn a_value_of_the_vault_is_hidden_whole_and_moves_no_literal() {
    let vault = ["ghp_abcdefghijklmnopqrst rest", "a'b"].map(str::to_owned);
    let redactor = Redactor::new(true, vault.to_vec());
    for (text, expected) in [
        (
            "x = 'ghp_abcdefghijklmnopqrst rest'",
            ("x = '«redacted-vault-secret»'", 1),
        ),
        (
            "a'b'; sk-abcdefghijklmnopqrstuv; 'c'",
            (
                "«redacted-vault-secret»'; sk-abcdefghijklmnopqrstuv; 'c'",
                1,
            ),
        ),
        (
            "'ghp_abcdefghijklmnopqrst' 'sk-proj-abcdefghijklmnopqrstuv'",
            ("'ghp_ab...qrst' 'sk-pro...stuv'", 2),
        ),
    ] {
        let (shown, masked) = redactor.redact_prompt(text, PromptKind::Script);
        assert_eq!((shown.as_str(), masked), expected, "{text}");
    }
    let off = Redactor::new(false, vault.to_vec());
    assert_eq!(
        off.redact_prompt("a'b 'sk-proj-abcdefghijklmnopqrstuv'", PromptKind::Script),
        (
            "«redacted-vault-secret» 'sk-proj-abcdefghijklmnopqrstuv'".to_owned(),
            1
        )
    );
}

/// Returns the characters of code that no mask adds.
fn code_of(text: &str) -> String {
    let is_code = |letter: &char| "()[]{};=<>|&$`\\\"'@:/#,\n\r".contains(*letter);
    text.chars().filter(is_code).collect()
}

fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars()
        .all(|letter| whole.any(|other| other == letter))
}

/// Text in which everything meets that forms a secret or code.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "'", "\"", "'''", "\"\"\"", "f'", "f\"", "`", "\\", "\n", "\r", "#", "(", ")", "[", "]", "{", "}",
            ";", "=", "<", ">", "|", "&", "$", "$(", ".", "@", ":", "/", "+", "-", " ", "//", "\\n", "<<",
        ]),
        2 => prop::sample::select(vec![
            "redis://a:", "https://", "ssh://", "sk-", "ghp_", "am_", "gAAAA", "AKIA", "eyJhbGciOiJIUzI1NiJ9",
            "eyJzdWIiOiIxIn0", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "Bearer ", "X=", "token=",
            "87654321:", "+1234567890", "system", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGH12345678",
            "'sk-proj-abcdefghijklmnopqrstuv'", "x=\"ghp_abcdefghijklmnopqrst\"",
        ]),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_character_of_code_is_ever_hidden(text in hostile(), is_script in any::<bool>()) {
        let kind = if is_script { PromptKind::Script } else { PromptKind::Command };
        let shown = shown_as(&text, kind);
        // The mark of a key brings brackets of its own.
        let plain = shown.replace(PRIVATE_KEY, "");
        prop_assert_eq!(code_of(&plain), code_of(&text), "{} -> {}", text, shown);
        let dotted = |text: &str| text.chars().filter(|&letter| letter == '.' || !code_of(&letter.to_string()).is_empty()).collect::<String>();
        prop_assert!(is_subsequence(&dotted(&text), &dotted(&shown)), "{} -> {}", text, shown);
    }

    #[test]
    fn what_is_hidden_is_a_word(text in hostile(), is_script in any::<bool>()) {
        let kind = if is_script { PromptKind::Script } else { PromptKind::Command };
        let word = compiled(r"^(?:[A-Za-z0-9_-]+|eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+|[A-Za-z0-9+]+)$");
        for (span, _) in secrets(&text, kind) {
            let hidden = text.get(span).unwrap_or_default();
            prop_assert!(word.is_match(hidden), "{}: {}", text, hidden);
        }
    }

    #[test]
    fn a_script_without_a_quote_is_shown_as_it_is(text in hostile()) {
        let text = text.replace(['\'', '"'], "");
        prop_assert_eq!(script(&text), text);
    }
}
