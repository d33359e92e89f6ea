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
fn separators_in_expressions_are_letters() {
    let rows = [
        ("a $((1<<2 & 3 | 4)) b\nc", "a_$(())_b/c"),
        ("a \"$((1<<2))\" $[1<<(2)] b\nc", "a_$(())_$(())_b/c"),
        ("((x=1<<2)) && a\nb", "a/b"),
        ("for ((i=1<<2; i<9; i++)); do a; done", "for/do_a/done"),
        ("a[1<<2]=3 b[x[1]]+=4 c\nd", "a[]=3_b[]+=4_c/d"),
        ("a $(( $(c -d) & `e` )) f", "c_-d/e/a_$(())_f"),
        ("((a b))", "a_b"),
        (
            "a ${x//&/;} \"${y:1<<2}\" b\nc",
            "a_${x//&/;}_${y:1<<2}_b/c",
        ),
        ("a ${x:-$(b c)} ${y[1<<2]}", "b_c/a_${x:-$()}_${y[]}"),
        ("((a b); c) d", "a_b/c/d"),
        ("x $((a b); c) d", "a_b/c/x_$()_d"),
        ("a[1; b", "1/b/a"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn quotes_in_parameters_are_those_of_the_shell() {
    let rows = [
        ("a \"${x%'\"'}\"; b; c 'd'", "a_${x%\"}/b/c_d"),
        ("a \"${x//'\"'/}\"; b", "a_${x//\"/}/b"),
        ("a ${x:-'}'}; b", "a_${x:-}}/b"),
        ("a \"${x:-\"}\"}\"; b", "a_${x:-}}/b"),
        ("a \"${x#\\\"}\"; b", "a_${x#\"}/b"),
        (
            "a ${#x} ${#} ${!x} ${x@Q} ${x^^}; b",
            "a_${#x}_${#}_${!x}_${x@Q}_${x^^}/b",
        ),
        ("rm${IFS:0:1}-r${IFS}x ${@}y", "rm_-r_x_y"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn where_shells_differ_about_a_quote_both_readings_are_given() {
    let shown = shown("a \"${x:-'}\"; b; a \"${x:-'}\"");
    assert!(shown.split('/').any(|command| command == "b"), "{shown}");
}

#[test]
fn labels_and_elements_are_no_commands() {
    let rows = [
        (
            "case x in a|b) c ;; (d) e ;& *) f; esac; g",
            "case_x/c/e/f/esac/g",
        ),
        ("case $1 in\n#)\na) b;;\nesac", "case_$1/b/esac"),
        ("x $(case y in z) a;; esac; b) c", "case_y/a/esac/b/x_$()_c"),
        ("\"$(case y in z) a;; esac)\"; b", "case_y/a/esac/$()/b"),
        ("case x in @(a|b)) c;; \"d e\") f;; esac", "case_x/c/f/esac"),
        (
            "case x in a) case y in b) c;; esac;; d) e;; esac",
            "case_x/case_y/c/esac/e/esac",
        ),
        ("x $(case y in esac) z", "case_y/esac/x_$()_z"),
        ("a case b in\nc", "a_case_b_in/c"),
        ("'case' b in\nc", "case_b_in/c"),
        ("A=1 case b in\nc", "A=1_case_b_in/c"),
        ("x=(a; b\n# c\n'd e' $(f)) g", "f/x=()_g"),
        ("declare -a x+=(a b); c", "declare_-a_x+=()/c"),
        ("[[ a =~ (b|c;d) ]] && e", "[[_a_=~_(b|c;d)_]]/e"),
        ("x=(a\nb", "a/b/x="),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn a_pipeline_goes_on_behind_the_end_of_a_line() {
    let pipelines = |text: &str| -> Vec<usize> {
        let commands = lex(text).commands;
        commands
            .iter()
            .map(|command| command.stage.pipeline)
            .collect()
    };
    for text in [
        "a |\nb",
        "a | # c\n\n b",
        "a |&\n  b | c",
        "a <<E |\nx\nE\nb",
    ] {
        let found = pipelines(text);
        assert!(
            found.len() > 1 && found.iter().all(|&it| Some(&it) == found.first()),
            "{text}"
        );
    }
    for text in ["a\nb", "a &&\nb", "a | b\nc"] {
        let found = pipelines(text);
        assert_ne!(found.first(), found.last(), "{text}");
    }
}

#[test]
fn backticks_nest_by_escapes() {
    assert_eq!(shown("a `b \\`c d\\`` e"), "c_d/b_$()/a_$()_e");
    assert_eq!(shown("a \"`b \\\"c d\\\"`\""), "b_c d/a_$()");
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
    fn any_text_can_be_split(text in "(case a in|esac|\\[\\[|]]|[a1(){}\\[\\]$`'\"\\\\<>&|;:%# \r\n=-]){0,60}") {
        let letters: usize = lex(&text).commands.iter().flat_map(|command| &command.words).map(String::len).sum();
        prop_assert!(letters <= text.len() * 3);
    }
}
