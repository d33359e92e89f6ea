use super::*;

fn shown(text: &str) -> String {
    fields(text, Mask::Shortened).unwrap_or_else(|| text.to_owned())
}

fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

fn check_unchanged(texts: &[&str]) {
    for text in texts {
        assert_eq!(fields(text, Mask::Shortened), None, "{text}");
    }
}

#[test]
fn upper_case_assignments_of_the_environment_are_masked() {
    check(&[
        (
            "PATH=/bin\nSTRIPE_KEY=opaque\nHOME=/root",
            "PATH=/bin\nSTRIPE_KEY=***\nHOME=/root",
        ),
        ("DB_PASSWORD=1234", "DB_PASSWORD=***"),
        (
            "DB_PASSWORD=correct horse battery staple",
            "DB_PASSWORD=correc...aple",
        ),
        (
            "MY_TOKEN=abcdefghijklmnopqrst  # comment",
            "MY_TOKEN=abcdef...qrst  # comment",
        ),
        ("export MY_TOKEN=abc", "export MY_TOKEN=***"),
        (
            "declare -x MY_TOKEN=\"abc def\"",
            "declare -x MY_TOKEN=\"***\"",
        ),
        ("MY_TOKEN='abc'\r\nA=b", "MY_TOKEN='***'\r\nA=b"),
        ("A=b\0MY_TOKEN=abc\0C=d", "A=b\0MY_TOKEN=***\0C=d"),
        ("      - MY_TOKEN=abc", "      - MY_TOKEN=***"),
    ]);
}

#[test]
fn lower_case_assignments_are_masked() {
    check(&[
        ("password=hunter", "password=***"),
        (
            "mysql -u root --password=hunter2",
            "mysql -u root --password=***",
        ),
        (
            "Server=h;Password=hunter2;Database=d",
            "Server=h;Password=***;Database=d",
        ),
        ("api_key = \"abcdef\"", "api_key = \"***\""),
        (
            "client_secret = b'abcdefghijklmnopqrst'",
            "client_secret = b'abcdef...qrst'",
        ),
        (
            "connect(user, password='hunter2')",
            "connect(user, password='***')",
        ),
        (
            "token = login(password=\"hunter2\")",
            "token = login(password=\"***\")",
        ),
    ]);
}

#[test]
fn dotted_keys_are_masked() {
    check(&[
        (
            "spring.datasource.password=hunter",
            "spring.datasource.password=***",
        ),
        (
            "app.api.key = abcdefghijklmnopqrst",
            "app.api.key = abcdef...qrst",
        ),
        ("auth.token: abcdef", "auth.token: ***"),
    ]);
}

#[test]
fn json_fields_are_masked() {
    check(&[
        (
            "{\"apiKey\": \"abcdef\", \"n\": 1}",
            "{\"apiKey\": \"***\", \"n\": 1}",
        ),
        (
            "{\"client_secret\":\"abcdefghijklmnopqrst\"}",
            "{\"client_secret\":\"abcdef...qrst\"}",
        ),
        (
            "{\"password\" : \"a\\\"bcdef\"}",
            "{\"password\" : \"***\"}",
        ),
    ]);
}

#[test]
fn escaped_json_fields_are_masked() {
    check(&[
        (
            r#""{\"apiKey\": \"abcdef\", \"n\": 1}""#,
            r#""{\"apiKey\": \"***\", \"n\": 1}""#,
        ),
        (r#"{\"password\":\"hunter2\"}"#, r#"{\"password\":\"***\"}"#),
    ]);
}

#[test]
fn fields_of_a_python_repr_are_masked() {
    check(&[
        (
            "{'api_key': 'abcdef', 'n': 1}",
            "{'api_key': '***', 'n': 1}",
        ),
        (
            "Config(api_key='abcdef', n=1)",
            "Config(api_key='***', n=1)",
        ),
        ("{'token': b'abcdef'}", "{'token': b'***'}"),
    ]);
}

#[test]
fn yaml_lines_are_masked() {
    check(&[
        (
            "db:\n  password: hunter2\n  user: me",
            "db:\n  password: ***\n  user: me",
        ),
        ("- token: abcdef # old", "- token: *** # old"),
        ("api_key: \"abcdef\"", "api_key: \"***\""),
    ]);
}

#[test]
fn names_that_merely_contain_a_word_stay() {
    check_unchanged(&[
        "MAX_TOKENS=100",
        "KEYBOARD=us",
        "KEYBOARD_LAYOUT=abcdef12345",
        "TOKENIZER=abcdef12345",
        "MONKEY=abcdef12345",
        "PWD=/root/abcdef12345",
        "{\"keyboard\": \"abcdef12345\"}",
        "tokens: abcdef12345",
        "SSH_AUTH_SOCK=/tmp/ssh-abc/agent.1",
    ]);
}

#[test]
fn code_and_references_stay() {
    check_unchanged(&[
        "MAX_TOKENS=4096; key = os.getenv(\"OPENAI_API_KEY\")",
        "API_KEY = os.getenv(\"OPENAI_API_KEY\")",
        "API_KEY=os.environ[\"OPENAI_API_KEY\"]",
        "const apiKey = process.env.API_KEY;",
        "API_KEY=process.env.API_KEY",
        "apiKey: \"x\"",
        "{\"apiKey\": \"x\"}",
        "password = password",
        "connect(token=token, password=None)",
        "self.password = hunter_value",
        "token: str",
        "api_key: Optional[str] = None",
        "    token: String,",
        "password: AccessToken",
        "if password == \"hunter22\":",
        "token = f\"{prefix}-1234567\"",
        "token = \"${TOKEN_VALUE}\"",
        "password: {{ vault_password }}",
        "password: !secret database1",
        "password = \"Enter your password\"",
        "token = 1234567890",
        "token += part12345",
        "token => value12345",
        "token := value12345",
        "crate::token::Token1234",
        "https://h/?token=abcdef12345&x=1",
        "https://h/?x=1&api_key=abcdef12345",
        "OPENAI_API_KEY=$OTHER",
        "OPENAI_API_KEY=",
        "TOKEN_URL=https://h/abcdef12345",
    ]);
}

#[test]
fn masked_values_stay() {
    check_unchanged(&[
        "A_TOKEN=***",
        "A_TOKEN=sk-pro...stuv",
        "A_TOKEN=«redacted:sk-…»",
        "{\"token\": \"«redacted-secret»\"}",
    ]);
}

#[test]
fn a_secret_has_a_sentinel() {
    assert_eq!(
        fields("A_TOKEN=abc", Mask::Sentinel).as_deref(),
        Some("A_TOKEN=«redacted-secret»")
    );
}

#[test]
fn failures_mask_reprs_in_their_own_lines_only() {
    let text = "E   assert {'api_key': 'abcdef'} == {}\n\
                ValueError: Config(token='abcdef', password=\"hunter2\")\n\
                requests.exceptions.HTTPError: {\"token\": \"abcdef\"}\n\
                E   A_TOKEN=abcdef\n\
                A_TOKEN=abcdef\n\
                print({'api_key': 'abcdef'})\n";
    let expected = "E   assert {'api_key': '***'} == {}\n\
                    ValueError: Config(token='***', password=\"***\")\n\
                    requests.exceptions.HTTPError: {\"token\": \"***\"}\n\
                    E   A_TOKEN=abcdef\n\
                    A_TOKEN=abcdef\n\
                    print({'api_key': 'abcdef'})\n";
    assert_eq!(
        failure_lines(text, Mask::Shortened).as_deref(),
        Some(expected)
    );
}

#[test]
fn hostile_rows_of_fields_are_walked_once() {
    // A quadratic walk over these would not end within the patience of any test run.
    for unit in [
        "token=",
        "a_token:",
        "token='x token=\"y ",
        "token = $",
        "token=\\\"",
        "key_",
        "token=f(",
    ] {
        let text = unit.repeat(30_000);
        assert!(shown(&text).len() <= text.len() * 2, "{unit}");
    }
}
