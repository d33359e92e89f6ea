//! Owns the order of the passes and the host's vault values.
//!
//! Vault values are exact strings and are replaced even when redaction is off. The switch is read once, by whoever
//! builds the redactor, so that no script can turn it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::mask::Mask;
use super::profile::Profile;
use super::prompt::PromptKind;
use super::rewrite::Rewrite;
use super::{assignment, header, prefix, prompt, shapes, url};

/// Stands for a value of the vault.
const VAULT_SENTINEL: &str = "«redacted-vault-secret»";

/// One pass over a text: the rewritten text, or `None` when it found nothing.
type Pass = fn(&str, Mask) -> Option<String>;

/// The passes that every profile runs, in order.
const PASSES: [Pass; 11] = [
    prefix::redact,
    shapes::zhipu_keys,
    header::authorization,
    header::secret_headers,
    shapes::telegram_tokens,
    shapes::private_keys,
    url::database_passwords,
    url::bare_userinfo,
    shapes::jwts,
    url::form_body,
    shapes::phone_numbers,
];

/// Masks secrets in text that is shown to a model.
pub(crate) struct Redactor {
    enabled: bool,
    vault: Vec<String>,
}

impl Redactor {
    /// Returns a redactor that hides the exact strings of `vault`, and secrets of known shapes when `enabled`.
    ///
    /// Empty strings in the vault are ignored.
    pub(crate) fn new(enabled: bool, mut vault: Vec<String>) -> Self {
        vault.retain(|value| !value.is_empty());
        // Of two values that begin at the same place, the longer one is found first.
        vault.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        vault.dedup();
        Self { enabled, vault }
    }

    /// Returns `text` with its secrets masked; borrowed when there are none.
    pub(crate) fn redact<'t>(&self, text: &'t str, profile: Profile) -> Cow<'t, str> {
        let mask = profile.mask();
        let text = self.redact_vault(text, profile);
        if !self.enabled {
            return text;
        }
        let text = PASSES
            .iter()
            .fold(text, |text, pass| step(text, |text| pass(text, mask)));
        match profile {
            Profile::CodeFile => text,
            Profile::Terminal { dump: false } => {
                step(text, |text| assignment::failure_lines(text, mask))
            }
            Profile::FileRead | Profile::Terminal { dump: true } => {
                step(text, |text| assignment::fields(text, mask))
            }
        }
    }

    /// Returns a text that somebody is asked to approve, with its secrets masked, and in how many places; nothing that could be code is
    /// left out.
    pub(crate) fn redact_prompt(&self, text: &str, kind: PromptKind) -> (String, usize) {
        let vault = self.vault_places(text);
        let secrets = if self.enabled {
            prompt::secrets(text, kind)
        } else {
            Vec::new()
        };
        // A value of the vault is hidden whole: what else was found in a part of it gives way.
        let is_free = |span: &Range<usize>| {
            let place = vault.partition_point(|value| value.end <= span.start);
            vault.get(place).is_none_or(|value| span.end <= value.start)
        };
        let mut masked: Vec<_> = secrets
            .into_iter()
            .filter(|(span, _)| is_free(span))
            .collect();
        masked.extend(
            vault
                .iter()
                .map(|span| (span.clone(), VAULT_SENTINEL.to_owned())),
        );
        masked.sort_by_key(|(span, _)| span.start);
        masked.dedup_by(|later, earlier| later.0.start < earlier.0.end);
        let mut rewrite = Rewrite::new(text);
        for (span, shown) in &masked {
            rewrite.replace(span.clone(), shown);
        }
        let shown = rewrite.finish().unwrap_or_else(|| text.to_owned());
        (shown, masked.len())
    }

    /// Returns `text` with the values of the vault masked, and nothing else.
    fn redact_vault<'t>(&self, text: &'t str, profile: Profile) -> Cow<'t, str> {
        step(Cow::Borrowed(text), |text| {
            self.vault_values(text, profile.mask())
        })
    }

    /// Tells whether a text holds a value of the vault or a token that its prefix gives away, be redaction on or off.
    pub(crate) fn holds_secret(&self, text: &str) -> bool {
        self.vault.iter().any(|value| text.contains(value))
            || prefix::redact(text, Mask::Sentinel).is_some()
    }

    fn vault_values(&self, text: &str, mask: Mask) -> Option<String> {
        let mut rewrite = Rewrite::new(text);
        for place in self.vault_places(text) {
            let value = text.get(place.clone()).unwrap_or_default();
            rewrite.replace(place, &mask.vault(value, VAULT_SENTINEL));
        }
        rewrite.finish()
    }

    /// Finds every value of the vault in one walk, so that none is looked for in what stands for another.
    fn vault_places(&self, text: &str) -> Vec<Range<usize>> {
        let mut next: Vec<Option<usize>> =
            self.vault.iter().map(|value| text.find(value)).collect();
        let mut places = Vec::new();
        while let Some((start, value)) = earliest(&next, &self.vault) {
            let end = start + value.len();
            places.push(start..end);
            for (place, value) in next.iter_mut().zip(&self.vault) {
                if place.is_some_and(|at| at < end) {
                    *place = text
                        .get(end..)
                        .and_then(|rest| rest.find(value))
                        .map(|at| end + at);
                }
            }
        }
        places
    }
}

/// Returns the first place at which a value stands; the longest value when there are several.
fn earliest<'v>(next: &[Option<usize>], vault: &'v [String]) -> Option<(usize, &'v str)> {
    next.iter()
        .zip(vault)
        .filter_map(|(place, value)| place.map(|at| (at, value.as_str())))
        .min_by_key(|&(at, _)| at)
}

fn step(text: Cow<'_, str>, pass: impl Fn(&str) -> Option<String>) -> Cow<'_, str> {
    match pass(&text) {
        Some(rewritten) => Cow::Owned(rewritten),
        None => text,
    }
}

impl Default for Redactor {
    /// Returns an enabled redactor with an empty vault.
    fn default() -> Self {
        Self::new(true, Vec::new())
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Redactor")
            .field("enabled", &self.enabled)
            .field("vault", &format_args!("[{} redacted]", self.vault.len()))
            .finish()
    }
}

#[cfg(test)]
mod tests;
