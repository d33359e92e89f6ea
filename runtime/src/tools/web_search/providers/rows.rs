//! What the answers of all services have in common: a list of objects with texts in them.

use serde_json::Value;
use url::Url;

use crate::net::{ApiClient, ApiFault};
use crate::tools::ToolError;
use crate::tools::web_search::provider::SearchHit;

/// Returns the address of a service's method below its base, which may have a path of its own.
pub(super) fn endpoint(service: &str, base: &str, method: &str) -> Result<Url, ToolError> {
    let url = Url::parse(&format!("{}/{method}", base.trim_end_matches('/')));
    url.ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        // The address is not shown, for it may hold a password.
        .ok_or_else(|| {
            ToolError::new(format_args!(
                "the address of {service} is no http or https URL"
            ))
        })
}

/// Says what a service did not answer.
pub(super) fn failed(service: &str, fault: ApiFault) -> ToolError {
    let message = format!("{service}: {fault}");
    ToolError::caused_by(message, fault)
}

/// Makes the client for one search.
pub(super) fn client(service: &str, timeout: std::time::Duration) -> Result<ApiClient, ToolError> {
    ApiClient::new(timeout).map_err(|fault| failed(service, fault))
}

/// Reads the list at a path of an answer; `description` reads the one text that each service has in a form of its own. Rows without an
/// address are left out.
pub(super) fn hits(
    answer: &Value,
    path: &str,
    count: usize,
    description: impl Fn(&Value) -> String,
) -> Vec<SearchHit> {
    let rows = answer.pointer(path).and_then(Value::as_array);
    rows.into_iter()
        .flatten()
        .filter_map(|row| {
            Some(SearchHit {
                title: text(row, "title"),
                url: Some(text(row, "url")).filter(|url| !url.is_empty())?,
                description: description(row),
            })
        })
        .take(count)
        .collect()
}

/// Returns a text of an object; anything else is no text.
pub(super) fn text(row: &Value, name: &str) -> String {
    row.get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
