//! What a user can set about approvals; every default is the contract's.

use std::time::Duration;

/// Settings of the approval guard (`approvals.*`). They concern scripts of project mode; [`timeout`](Self::timeout) and
/// [`approved`](Self::approved) concern whatever else asks the approver, too.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuardOptions {
    /// Who decides (`approvals.mode`); [`ApprovalMode::Smart`].
    pub mode: ApprovalMode,
    /// Runs scripts without asking, in this process (`--yolo`); off.
    pub yolo: bool,
    /// How long an answer is waited for (`approvals.timeout`); 300 s. Silence is no consent.
    pub timeout: Duration,
    /// What scheduled jobs may do (`approvals.cron_mode`); deny.
    pub cron: Unattended,
    /// What single queries may do (`approvals.single_query_mode`); deny.
    pub single_query: Unattended,
    /// What sessions on platforms without a user may do (`approvals.unattended_mode`); deny.
    pub unattended: Unattended,
    /// Refusals in a row after which a refusal says to stop asking (`approvals.denial_breaker_threshold`); 3. With 0 none does.
    pub denial_breaker_threshold: u32,
    /// What the user has approved for good in earlier runs, as [`ApprovalRequest::pattern_key`](crate::ApprovalRequest::pattern_key) names
    /// it; none. For scripts the key is `execute_code`.
    pub approved: Vec<String>,
}

impl Default for GuardOptions {
    fn default() -> Self {
        Self {
            mode: ApprovalMode::default(),
            yolo: false,
            timeout: Duration::from_mins(5),
            cron: Unattended::default(),
            single_query: Unattended::default(),
            unattended: Unattended::default(),
            denial_breaker_threshold: 3,
            approved: Vec::new(),
        }
    }
}

/// Says who decides about a script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalMode {
    /// The host's guardian first, if it has one; what it leaves open the user decides.
    #[default]
    Smart,
    /// The user.
    Manual,
    /// Nobody: everything is approved.
    Off,
}

impl ApprovalMode {
    /// Returns the mode of that name; case and surrounding blanks do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "smart" => Some(Self::Smart),
            "manual" => Some(Self::Manual),
            "off" => Some(Self::Off),
            _ => None,
        }
    }
}

/// Says what happens where no user is present.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unattended {
    /// Scripts are refused.
    #[default]
    Deny,
    /// Scripts run: the operator trusts them.
    Approve,
}

impl Unattended {
    /// Returns what that name says; case and surrounding blanks do not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "deny" => Some(Self::Deny),
            "approve" => Some(Self::Approve),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_without_regard_to_case_and_blanks() {
        assert_eq!(ApprovalMode::from_name(" Smart"), Some(ApprovalMode::Smart));
        assert_eq!(
            ApprovalMode::from_name("MANUAL"),
            Some(ApprovalMode::Manual)
        );
        assert_eq!(ApprovalMode::from_name("off\n"), Some(ApprovalMode::Off));
        assert_eq!(Unattended::from_name("approve"), Some(Unattended::Approve));
        assert_eq!(Unattended::from_name(" DENY "), Some(Unattended::Deny));
    }

    #[test]
    fn what_is_misspelt_approves_nothing() {
        for name in ["", "of", "yolo", "approved", "true", "no"] {
            assert_eq!(ApprovalMode::from_name(name), None, "{name}");
            assert_eq!(Unattended::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn by_default_nobody_is_trusted_unasked() {
        let options = GuardOptions::default();
        assert_eq!(options.mode, ApprovalMode::Smart);
        assert_eq!(options.timeout.as_secs(), 300);
        assert_eq!(options.denial_breaker_threshold, 3);
        let unattended = [options.cron, options.single_query, options.unattended];
        assert_eq!(unattended, [Unattended::Deny; 3]);
        assert!(!options.yolo && options.approved.is_empty());
    }
}
