//! Functions and aliases: what one of them is keeps no other one, and no variable, from being there.

use super::*;

/// What a session has before and behind one of the rows.
const BEFORE: &str = "export A=1; a0() { echo a0; }; alias b0='echo b0'";
const BEHIND: &str = "export Z=2; z9() { echo z9; }; alias z8='echo z8'";

#[tokio::test]
async fn whatever_one_definition_is_all_others_are_kept_for_good() {
    for definition in [
        "function a=b { :; }",
        "function a=b { :; }; readonly -f a0; export -f a0",
        "alias alias=foo",
        "alias declare=foo export=foo shopt=foo command=foo eval=foo",
        "alias if=foo then=foo fi=foo while=foo do=foo done=foo",
        "alias echo='echo no' 2>/dev/null; unalias echo",
        "shopt -s extglob\nm() { case $1 in @(x|y)z) echo m;; esac; echo ${1%%+(z)}; }",
        "alias() { echo mine; }; declare() { echo mine; }; printf() { echo mine; }; shopt() { echo mine; }; read() { echo mine; }",
        "q() { cat <<E\n}\nE\n}",
        "shopt -s xpg_echo; q() { echo 'x\\ty'; }",
        "false() { echo export A=9; }; function a=b { :; }",
        "set -o posix",
        "function a=b { :; }; set -o posix",
        "export POSIXLY_CORRECT=1 UID; readonly A",
        "set -f; IFS=: ; trap 'echo bye >&2' EXIT",
    ] {
        let place = Place::new();
        place.run(&format!("{BEFORE}; {BEHIND}")).await;
        place.run(definition).await;
        for _ in 0..2 {
            let seen = place.run("a0; z9; b0; z8; echo $A$Z").await;
            assert_eq!(seen, "a0\nz9\nb0\nz8\n12\n", "{definition}");
        }
    }
}

#[tokio::test]
async fn a_function_with_an_extended_pattern_is_kept_and_the_option_is_not() {
    let place = Place::new();
    place
        .run("shopt -s extglob\nm() { case $1 in @(x|y)z) echo m;; esac; }")
        .await;
    let seen = place
        .run("shopt -q extglob || echo off; shopt -s extglob; m yz")
        .await;
    assert_eq!(seen, "off\nm\n");
}

#[tokio::test]
async fn a_function_that_cannot_be_read_leaves_the_marks_of_others_as_they_are() {
    let place = Place::new();
    place
        .run("function a=b { :; }; f() { echo f; }; export -f f; g() { :; }; readonly -f g")
        .await;
    for _ in 0..2 {
        assert_eq!(
            place.run("bash -c f; declare -F").await,
            "f\ndeclare -fx f\ndeclare -fr g\n"
        );
    }
}
