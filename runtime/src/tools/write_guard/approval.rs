//! The guards that ask a human: files that tell agents what to do, and the settings of the SSH client.
//!
//! Nothing but a clear yes lets a write pass, in every mode.

use std::path::Path;

use super::Target;
use super::instructions::Instructions;
use crate::fs::Homes;
use crate::guard::{ApprovalRequest, ApprovalSubject, Consent, for_eyes};
use crate::text::redact::PromptKind;
use crate::tools::ToolContext;

/// What stands between the paths of a list.
const SEPARATORS: [&str; 2] = [", ", " -> "];

/// Asks about those of the targets that are agents' instructions; the error says why they are not to be written.
pub(super) async fn instructions(
    instructions: &Instructions,
    homes: &Homes,
    targets: &[&Target],
    context: &ToolContext,
) -> Result<(), String> {
    let what = "write to protected agent-instruction file(s)";
    let is_protected = |target: &&&Target| target.is_any(|path| instructions.hold(homes, path));
    ask(
        what,
        &targets
            .iter()
            .filter(is_protected)
            .copied()
            .collect::<Vec<_>>(),
        context,
    )
    .await
}

/// Asks about those of the targets that are the settings of the SSH client.
pub(super) async fn ssh_config(
    homes: &Homes,
    targets: &[&Target],
    context: &ToolContext,
) -> Result<(), String> {
    let what = "write to the SSH client configuration";
    let is_protected = |target: &&&Target| target.is_any(|path| homes.is_ssh_config(path));
    ask(
        what,
        &targets
            .iter()
            .filter(is_protected)
            .copied()
            .collect::<Vec<_>>(),
        context,
    )
    .await
}

/// Returns the text of an absolute path in a list, which no other path has: one that is no text, or that reads like several, is quoted.
#[expect(
    clippy::unnecessary_debug_formatting,
    reason = "the quoted form alone tells all paths apart"
)]
fn distinct(path: &Path) -> String {
    let plain = path.to_str();
    let plain = plain.filter(|text| !SEPARATORS.iter().any(|separator| text.contains(separator)));
    plain.map_or_else(|| format!("{path:?}"), str::to_owned)
}

async fn ask(what: &str, targets: &[&Target], context: &ToolContext) -> Result<(), String> {
    if targets.is_empty() {
        return Ok(());
    }
    let list = |shown: &dyn Fn(&Target) -> String| {
        let shown: Vec<String> = targets.iter().map(|target| shown(target)).collect();
        shown.join(", ")
    };
    // The user decides about the files themselves, and an answer for longer holds for these files only.
    let absolute = list(&|target: &Target| {
        let [named, landing] = target.paths();
        if named == landing {
            distinct(named)
        } else {
            format!("{} -> {}", distinct(named), distinct(landing))
        }
    });
    let (text, masked) = for_eyes(&absolute, PromptKind::Paths, context.redactor());
    let mut request = ApprovalRequest::new(context.asker(), ApprovalSubject::Files, what, text);
    request.pattern_key = format!("{what}: {absolute}");
    request.masked = masked;
    let why = match context.approvals().ask(&request).await {
        Consent::Given { .. } => return Ok(()),
        Consent::Denied => "was denied by the user.",
        Consent::TimedOut => "was not answered in time, and silence is not consent.",
        Consent::Undelivered => "could not be put to the user.",
        Consent::NoApprover => "needs the user's approval, and this runtime has nobody to ask.",
    };
    let shown = list(&|target: &Target| target.shown().to_owned());
    Err(format!(
        "BLOCKED: {what} ({shown}) {why} The user has NOT consented to this write. Do NOT retry it, and do NOT attempt the same outcome via a different path or tool."
    ))
}
