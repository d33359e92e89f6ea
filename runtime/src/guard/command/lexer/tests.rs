//! How texts are split, and that any text can be.

use proptest::prelude::*;

use super::*;

/// Shows the commands of a text, words joined by `_`, the commands by `/`.
fn shown(text: &str) -> String {
    let commands = lex(text).commands;
    commands
        .iter()
        .map(|command| command.words.join("_"))
        .collect::<Vec<_>>()
        .join("/")
}

#[test]
fn commands_end_at_separators() {
    let rows = [
        ("a b;c&&d||e|f|&g&h", "a_b/c/d/e/f/g/h"),
        ("a\nb # c; d\ne#f", "a/b/e#f"),
        ("(a; b) c", "a/b/c"),
        ("f() { a; }", "f/{_a/}"),
        ("a \\\n b\\;c", "a_b;c"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn quotes_join_and_hide() {
    let rows = [
        ("echo 'rm -rf /; x' \"a;b\"", "echo_rm -rf /; x_a;b"),
        ("r'm' -\"r\"f \"/\"", "rm_-rf_/"),
        (r#"echo "a\"b\n" \"c"#, r#"echo_a"b\n_"c"#),
        ("echo $'it\\'s' ''", "echo_it's_"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn substitutions_are_commands_of_their_own() {
    let rows = [
        ("echo $(a b) c", "a_b/echo_$()_c"),
        ("echo \"x $(a \"b c\") y\"", "a_b c/echo_x $() y"),
        ("echo `a b` c", "a_b/echo_$()_c"),
        ("echo \"`a`\"d", "a/echo_$()d"),
        ("cat <(a b) >(c)", "a_b/c/cat_$()_$()"),
        ("x $( (a) ; b)", "a/b/x_$()"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn redirections_are_no_words() {
    let lexed = lex("a >x 2>>y &>z >&2 <in 2>&1 b3>q");
    assert_eq!(lexed.commands.len(), 1, "{lexed:?}");
    for command in lexed.commands {
        assert_eq!(command.words, ["a", "b3"]);
        assert_eq!(command.outputs, ["x", "y", "z", "2", "1", "q"]);
        assert!(!command.is_background);
    }
}

#[test]
fn here_documents_are_input_and_no_commands() {
    let lexed = lex("bash <<'E' >x; c\nrm -rf /\nE\nd <<-F\n\tg\n\tF\ne <<< 'h i'");
    let inputs: Vec<_> = lexed
        .commands
        .iter()
        .map(|command| (command.words.join("_"), command.input.as_str()))
        .collect();
    let row = |words: &str, input| (words.to_owned(), input);
    assert_eq!(
        inputs,
        [
            row("bash", "rm -rf /\n"),
            row("c", ""),
            row("d", "g\n"),
            row("e", "h i")
        ]
    );
}

#[test]
fn substitutions_in_a_here_document_run_unless_its_delimiter_is_quoted() {
    let rows = [
        ("cat <<E\n$(a b)\nE", "cat/a_b"),
        ("cat <<-E\n\t\"x `a b` y\"\n\tE\nc", "cat/a_b/c"),
        ("cat <<E\n${x:-$(a)} it's\nE", "cat/a"),
        ("cat <<E\n$(cat <<F\n$(a)\nF\n)\nE\n", "cat/cat/a"),
        ("cat <<'E'\n$(a b)\nE", "cat"),
        ("cat <<E\"\"\n`a b`\nE", "cat"),
        ("cat <<\\E\n`a b`\nE", "cat"),
        ("cat <<E\n\\$(a b)\nE", "cat"),
        ("'x' <<E\n$(a)\nE", "x/a"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_descriptor_by_name_is_no_word() {
    assert_eq!(shown("{fd}>x a b"), "a_b");
    assert_eq!(shown("{fd} >x a"), "fd_a");
}

#[test]
fn only_a_single_ampersand_is_background() {
    let background = |text| {
        lex(text)
            .commands
            .iter()
            .filter(|command| command.is_background)
            .count()
    };
    assert_eq!(background("a & b"), 1);
    assert_eq!(background("a && b 2>&1 &>c '&' \\&"), 0);
}

proptest! {
    #[test]
    fn any_text_can_be_split(text in "[a(){}$`'\"\\\\<>&|;# \n-]{0,60}") {
        let letters: usize = lex(&text).commands.iter().flat_map(|command| &command.words).map(String::len).sum();
        prop_assert!(letters <= text.len() * 3);
    }
}
