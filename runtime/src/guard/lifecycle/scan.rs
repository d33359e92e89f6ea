//! The look through a whole script: what in it would end the gateway that runs it.

use super::super::refusal::Refusal;
use super::command::ends_gateway;
use super::document::without_inert_documents;
use super::image::killed_image;
use super::words::{Escapes, words};

/// What a script must not end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Protected<'a> {
    /// The gateway's profile, unless it is the default one.
    pub(super) profile: Option<&'a str>,
    /// Name or path of the gateway's own program.
    pub(super) program: Option<&'a str>,
}

/// Returns why a script must not run in the gateway. Takes time and memory linear in the script.
pub(super) fn finding(code: &str, protected: Protected<'_>) -> Option<Refusal> {
    let code = without_inert_documents(code);
    let ends = |text: &str| ends_gateway(text, protected.profile);
    let ends_as_words = |escapes| ends(&words(&code, escapes));
    if ends(&code) || ends_as_words(Escapes::Shell) || ends_as_words(Escapes::Python) {
        return Some(Refusal::GatewayLifecycle);
    }
    killed_image(&code, protected.program).map(|image| Refusal::InterpreterKill { image })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(code: &str) -> Option<Refusal> {
        finding(code, Protected::default())
    }

    const ENDING: &str = "os.system('launchctl bootout gui/501/ai.hermes.gateway')";

    #[test]
    fn both_scans_find_what_ends_the_gateway() {
        for code in [
            ENDING.to_owned(),
            "subprocess.run([\"launchctl\",\"bootout\",\"gui/501/ai.hermes.gateway\"])".to_owned(),
            format!("x = 1\n# {ENDING}"),
            "s = '''bash <<'EOF'\nhermes gateway restart\nEOF'''".to_owned(),
        ] {
            assert_eq!(found(&code), Some(Refusal::GatewayLifecycle), "{code}");
        }
        let image = "python".to_owned();
        assert_eq!(
            found("s = '''\npkill python\n'''"),
            Some(Refusal::InterpreterKill { image })
        );
    }

    #[test]
    fn everyday_scripts_are_let_through() {
        for code in [
            "print('hello')",
            "from hermes_tools import terminal\nprint(terminal('systemctl status nginx'))",
            "import os, signal\nos.kill(12, signal.SIGTERM)",
            "gateway = 'hermes'\nprint(f'{gateway} restarted')",
            "s = '''cat > notes.md <<'EOF'\nTo restart: hermes gateway restart\npkill python\nEOF'''",
        ] {
            assert_eq!(found(code), None, "{code}");
        }
    }

    #[test]
    fn long_hostile_scripts_are_looked_through() {
        for unit in [
            "hermes -p gateway -y stop -q ",
            "hermes -z gateway -y stop -q hermes -p x gateway stop ",
            "kill hermes ",
            "launchctl load ",
            "systemctl -a b ",
            "pgrep -f python|",
            "pkill -a ",
            "\npgrep hermes gateway |",
            "s='''cat <<'A'\n",
            "'''\ncat <<'EOF'\n",
            "'''",
            "\\x",
            "\"'\n",
            "`pkill ",
            "kill $(pgrep ",
            "-a ",
        ] {
            // Any finding will do. Quadratic time would have no end.
            let _ = found(&unit.repeat((1 << 20) / unit.len()));
        }
    }

    #[test]
    fn the_end_of_ten_megabytes_is_looked_at() {
        for unit in [
            "x = 'a'\n",
            "run('hermes gateway status')\n",
            "x = '''cat <<'EOF'\n",
        ] {
            let mut code = unit.repeat((10 << 20) / unit.len());
            assert_eq!(found(&code), None, "{unit}");
            code.push_str(ENDING);
            assert_eq!(found(&code), Some(Refusal::GatewayLifecycle), "{unit}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_looked_through(code in "(hermes|gateway|stop|kill|pkill python|cat <<'E'|'''|[\\\\'\"\\[\\],;|&$(`\n -]|ü){0,30}") {
            let _ = found(&code);
        }

        #[test]
        fn what_stands_in_an_inert_document_never_counts(
            lines in prop::collection::vec(
                "(hermes gateway restart|pkill python|launchctl stop hermes.gateway|\tEOF|cat <<'X'|[a-z$`(]{0,8})",
                0..8,
            ),
            quotes in prop::sample::select(vec!["'''", "\"\"\""]),
        ) {
            let body: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            let code = format!("text = {quotes}\ncat > notes.md <<'EOF'\n{body}EOF\n{quotes}\nprint(text)");
            prop_assert_eq!(found(&code), None);
        }
    }
}
