//! Whether a script needs anybody's word: a pure decision over settings and context.
//!
//! A context without a user is looked at before anything that says whom to ask, so that no leftover of another session
//! makes a job ask, or run.

use super::super::context::{Audience, ExecutionContext};
use super::super::host::Confinement;
use super::super::options::{ApprovalMode, GuardOptions, Unattended};

/// What is to be done with a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// It may run.
    Approved,
    /// It does not run, and nobody is asked.
    Refused(String),
    /// Somebody has to be asked.
    Ask,
}

/// Decides about any script that would run in this context.
pub(super) fn decide(
    confinement: &Confinement,
    options: &GuardOptions,
    context: &ExecutionContext,
) -> Decision {
    if !confinement.reaches_host() || options.yolo || options.mode == ApprovalMode::Off {
        return Decision::Approved;
    }
    if let Some((rule, mode)) = unattended(options, context) {
        return match mode {
            Unattended::Approve => Decision::Approved,
            Unattended::Deny => Decision::Refused(rule.message()),
        };
    }
    match context.audience {
        Audience::Nobody => Decision::Approved,
        Audience::Terminal | Audience::Gateway => Decision::Ask,
    }
}

/// Why nobody can be asked, and what the operator can set about it.
struct Absence {
    clause: String,
    key: &'static str,
    trusted: &'static str,
}

impl Absence {
    fn message(self) -> String {
        let Self {
            clause,
            key,
            trusted,
        } = self;
        format!(
            "BLOCKED: execute_code runs arbitrary local Python (including subprocess calls that bypass shell-string approval checks). \
             {clause}. Use normal tools instead, or set approvals.{key}: approve only if {trusted}."
        )
    }
}

/// Returns the first reason why no user is present, with the operator's word for it.
fn unattended(options: &GuardOptions, context: &ExecutionContext) -> Option<(Absence, Unattended)> {
    if context.is_single_query {
        let absence = Absence {
            clause: "Single-query mode (-q) runs without a user present to approve it".to_owned(),
            key: "single_query_mode",
            trusted: "this single-query run is intentionally trusted",
        };
        return Some((absence, options.single_query));
    }
    if context.is_cron {
        let absence = Absence {
            clause: "Cron jobs run without a user present to approve it".to_owned(),
            key: "cron_mode",
            trusted: "this cron profile is intentionally trusted",
        };
        return Some((absence, options.cron));
    }
    let platform = context.unattended_platform.as_ref()?;
    let absence = Absence {
        clause: format!(
            "This session runs on an unattended platform ({platform}) with no user present to approve it"
        ),
        key: "unattended_mode",
        trusted: "sessions on this surface are intentionally trusted",
    };
    Some((absence, options.unattended))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: Confinement = Confinement::None;

    fn context(change: impl FnOnce(&mut ExecutionContext)) -> ExecutionContext {
        let mut context = ExecutionContext::default();
        change(&mut context);
        context
    }

    fn options(change: impl FnOnce(&mut GuardOptions)) -> GuardOptions {
        let mut options = GuardOptions::default();
        change(&mut options);
        options
    }

    fn refused(clause: &str, key: &str, trusted: &str) -> Decision {
        Decision::Refused(format!(
            "BLOCKED: execute_code runs arbitrary local Python (including subprocess calls that bypass shell-string approval checks). {clause}. Use normal tools instead, or set approvals.{key}: approve only if {trusted}."
        ))
    }

    #[test]
    fn only_a_user_who_is_present_is_asked() {
        for (context, expected) in [
            (ExecutionContext::cli(), Decision::Approved),
            (ExecutionContext::asking_cli(), Decision::Ask),
            (ExecutionContext::gateway(), Decision::Ask),
            (
                ExecutionContext::single_query(),
                refused(
                    "Single-query mode (-q) runs without a user present to approve it",
                    "single_query_mode",
                    "this single-query run is intentionally trusted",
                ),
            ),
            (
                ExecutionContext::cron(),
                refused(
                    "Cron jobs run without a user present to approve it",
                    "cron_mode",
                    "this cron profile is intentionally trusted",
                ),
            ),
            (
                ExecutionContext::unattended("webhook"),
                refused(
                    "This session runs on an unattended platform (webhook) with no user present to approve it",
                    "unattended_mode",
                    "sessions on this surface are intentionally trusted",
                ),
            ),
        ] {
            assert_eq!(decide(&LOCAL, &GuardOptions::default(), &context), expected);
        }
    }

    #[test]
    fn absent_users_are_looked_for_in_a_fixed_order_and_before_present_ones() {
        let mut everything = context(|context| {
            context.is_single_query = true;
            context.is_cron = true;
            context.unattended_platform = Some("p".to_owned());
            context.audience = Audience::Gateway;
        });
        let told =
            |context: &ExecutionContext| match decide(&LOCAL, &GuardOptions::default(), context) {
                Decision::Refused(message) => message,
                other => panic!("{other:?}"),
            };
        assert!(told(&everything).contains("approvals.single_query_mode"));
        everything.is_single_query = false;
        assert!(told(&everything).contains("approvals.cron_mode"));
        everything.is_cron = false;
        assert!(told(&everything).contains("approvals.unattended_mode"));
        everything.unattended_platform = None;
        assert_eq!(
            decide(&LOCAL, &GuardOptions::default(), &everything),
            Decision::Ask
        );
    }

    #[test]
    fn each_unattended_context_has_a_setting_of_its_own() {
        let contexts = [
            ExecutionContext::single_query(),
            ExecutionContext::cron(),
            ExecutionContext::unattended("p"),
        ];
        let settings: [fn(&mut GuardOptions); 3] = [
            |options| options.single_query = Unattended::Approve,
            |options| options.cron = Unattended::Approve,
            |options| options.unattended = Unattended::Approve,
        ];
        for (setting, change) in settings.into_iter().enumerate() {
            for (place, context) in contexts.iter().enumerate() {
                let is_approved = decide(&LOCAL, &options(change), context) == Decision::Approved;
                assert_eq!(is_approved, place == setting, "{setting} {context:?}");
            }
        }
    }

    #[test]
    fn what_is_confined_or_trusted_is_never_asked_about() {
        let cron = ExecutionContext::cron();
        let gateway = ExecutionContext::gateway();
        let docker = |volumes: &[&str]| Confinement::Docker {
            mounts_cwd: false,
            volumes: volumes.iter().map(|&volume| volume.to_owned()).collect(),
        };
        for context in [&cron, &gateway] {
            for confinement in [
                Confinement::VercelSandbox,
                Confinement::Singularity,
                Confinement::Modal,
                Confinement::Daytona,
                docker(&["cache:/c"]),
            ] {
                let decision = decide(&confinement, &GuardOptions::default(), context);
                assert_eq!(decision, Decision::Approved, "{confinement:?}");
            }
            for options in [
                options(|options| options.yolo = true),
                options(|options| options.mode = ApprovalMode::Off),
            ] {
                assert_eq!(decide(&LOCAL, &options, context), Decision::Approved);
            }
        }
        let mounted = docker(&["/host:/c"]);
        assert_eq!(
            decide(&mounted, &GuardOptions::default(), &gateway),
            Decision::Ask
        );
    }
}
