//! That the floor holds however a command is written.

use super::super::deny::DenyPatterns;
use super::super::rule::check_rows;
use super::super::verdict::{Verdict, judge};
use super::*;

#[test]
fn every_row_finds_its_commands_and_no_others() {
    check_rows(FLOOR.iter());
}

fn assert_all_are_stopped(commands: &[&str]) {
    for command in commands {
        let verdict = judge(command, &DenyPatterns::default());
        let is_stopped =
            matches!(verdict, Verdict::Floor(reason) if reason.starts_with("recursive delete"));
        assert!(is_stopped, "{command}: {verdict:?}");
    }
}

#[test]
fn a_command_is_seen_behind_every_wrapper_and_option() {
    assert_all_are_stopped(&[
        "env -S'rm -rf /'",
        "env -vS 'rm -rf /'",
        "env -iS 'rm -rf /'",
        "eval -- rm -rf /",
        "runuser --user root -- rm -rf /",
        "script -qc'rm -rf /' f",
        "su root -c'rm -rf /'",
        "flock --timeout 5 l rm -rf /",
        "strace -s 200 rm -rf /",
        "unshare -R /x rm -rf /",
        "parallel --jobs 4 rm -rf / ::: x",
        "bash -co pipefail 'rm -rf /'",
        "bash -c 'rm -rf /' --command=true",
        "ls | xargs -i rm -rf /",
        "ls | xargs -l rm -rf /",
        "git bisect run rm -rf /",
        "git rebase -x 'rm -rf /' m",
        "git rebase --exec='rm -rf /'",
        "git submodule foreach --recursive 'rm -rf /'",
        "git -c alias.x='!rm -rf /' x",
        "npx -c 'rm -rf /'",
        "npm exec -c 'rm -rf /'",
        "npm exec -- rm -rf /",
        "sg root -c 'rm -rf /'",
        "tmux new -d 'rm -rf /'",
        "tmux -L x new-session -d -s y 'rm -rf /'",
        "screen -dmS x rm -rf /",
        "uv run --with x rm -rf /",
        "poetry run rm -rf /",
        "valgrind --tool=x rm -rf /",
        "gosu root rm -rf /",
        "xvfb-run -a -s x rm -rf /",
        "ssh h -p 22 'rm -rf /'",
    ]);
}

#[test]
fn a_command_is_seen_in_and_behind_every_construct_of_the_shell() {
    assert_all_are_stopped(&[
        "echo $((1<<4))\nrm -r /",
        "x=$((1<<2))\nrm -r /",
        "((x=1<<3))\nrm -r /",
        "a[1<<2]=5\nrm -r /",
        "echo $[1<<4]\nrm -r /",
        "echo \"$((1<<4))\"\nrm -r /",
        "for ((i=1<<2;i<9;i++)); do ls; done\nrm -r /",
        "echo $((x[$(rm -r /)]))",
        "((ls); rm -r /)",
        "echo $((ls); rm -r /)",
        "sh -c '((rm -rf /))'",
        "a[1; rm -r /",
        "a=(x; rm -r /",
        "echo ${x; rm -r /",
        "echo $(case x in x) rm -r / ;; esac)",
        "echo \"$(case x in (x|y) rm -r / ;; esac)\"",
        "case x in @(x|y)) rm -r /; esac",
        "case x in\n x)\n ls ;;\n *) rm -r /\nesac",
        "case x in esac; rm -r /",
        "echo $(case x in esac) && rm -r /",
        "x=a; echo \"${x//'\"'/}\"; rm -r /; echo 'z'",
        "echo \"${x:-'}\"; rm -r /; echo \"${x:-'}\"",
        "echo \"${x:-'\"'}\"; rm -r /; echo '\"'",
        "rm${IFS:0:1}-r${IFS}/",
        "r${@}m -r /",
        "echo -n 'rm -r /' | sh",
        "echo -e 'ls\\nrm -r /' | sh",
        "printf '%s\\n' 'rm -r /' | sh",
        "printf 'rm -r /\\n' | sh",
        "printf -- '%s -r %s' rm / | sh",
        "printf '\\x72m -r /' | sh",
        "echo 'rm -r /' | cat | tee x | head -n 1 | sh",
        "echo 'rm -r /' > >(sh)",
        "echo 'rm -r /' | tee >(sh) x",
        "echo 'rm -r /' | bash -c sh",
        "(echo 'rm -r /'; ls) | sh",
        "{ echo 'rm -r /'; } | sh",
        "sh <(echo 'rm -r /')",
        "eval \"$(echo rm -r /)\"",
        "sh <<< \"$(echo rm -r /)\"",
        "echo 'rm -r /' | source /dev/stdin",
        "echo \"`case x in x) rm -r /;; esac`\"",
        "case x\nin x) case y in z) ls;; esac; rm -r /;; esac",
        "\\case x in\nrm -r /",
        ">f case x in\nrm -r /",
        "[[ a =~ (x\nrm -r /",
        "function f { ls; }; time ((1<<2))\nrm -r /",
        "echo ${x/\\'/}; rm -r /; echo \\'",
        "echo ${ rm -r /; }",
        "echo \"$(( ' ))\"; rm -r /; echo \"$(( ' ))\"",
        "declare -a x=([1<<2]=y)\nrm -r /",
        "x=`echo \\`rm -r /\\``",
        "cat <<E\r\nx\r\nE\r\nrm -r /",
        "cat <<$((1))\nx\n$((1))\nrm -r /",
        "cat <<$(x)\nx\n$(x)\nrm -r /",
        "cat <<\"E\nF\"\nE\nrm -r /",
        "rm -rf /{bin,usr} /{x,}",
    ]);
}
