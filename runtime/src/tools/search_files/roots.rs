//! Where a search begins: the one path that a script names, or several in one text.

use std::io;
use std::path::Path;

use super::walk::Root;
use crate::fs::{Access, Grants, Kind, Place};
use crate::text::truncate::first_chars;
use crate::tools::ToolError;
use crate::tools::read_file::{MAX_ENTRIES, similar_names};

/// Most paths in one text.
const MAX_ROOTS: usize = 50;
/// Longest text of paths that an answer repeats, in characters.
const MAX_SHOWN_CHARS: usize = 500;

/// The roots that exist, and what to tell about the others.
#[derive(Debug)]
pub(super) struct Roots {
    pub(super) found: Vec<(Root, Kind)>,
    pub(super) warning: Option<String>,
}

/// Says why there is nothing to search in.
#[derive(Debug)]
pub(super) enum Fault {
    /// There is no such path; the text tells it.
    Missing(String),
    /// The script may not look there, or gave no path.
    Refused(ToolError),
}

impl Roots {
    /// Finds the roots that a text names.
    pub(super) fn find(grants: &Grants, text: &str) -> Result<Self, Fault> {
        let fault = match find(grants, text) {
            Ok(root) => {
                return Ok(Self {
                    found: vec![root],
                    warning: None,
                });
            }
            Err(fault) => fault,
        };
        let parts: Vec<&str> = text
            .split(|letter: char| letter == ',' || letter.is_whitespace())
            .filter(|part| !part.is_empty())
            .take(MAX_ROOTS + 1)
            .collect();
        if !(2..=MAX_ROOTS).contains(&parts.len()) {
            return Err(fault);
        }
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for part in &parts {
            match find(grants, part) {
                Ok(root) => found.push(root),
                Err(_) => missing.push(*part),
            }
        }
        if found.is_empty() {
            return Err(fault);
        }
        let mut warning = format!(
            "path contained {} entries; searched {} that exist",
            parts.len(),
            found.len()
        );
        if !missing.is_empty() {
            warning.push_str("; skipped missing: ");
            warning.push_str(first_chars(&missing.join(", "), MAX_SHOWN_CHARS));
        }
        let warning = Some(warning);
        Ok(Self { found, warning })
    }
}

fn find(grants: &Grants, path: &str) -> Result<(Root, Kind), Fault> {
    let place = grants.place(path.trim(), Access::Read);
    let place = place.map_err(|refusal| Fault::Refused(ToolError::new(refusal)))?;
    let look = || Ok((place.metadata()?, place.resolved()?));
    let (metadata, resolved) = look().map_err(|error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Fault::Missing(missing(&place)),
        _ => Fault::Refused(ToolError::new(place.explain(&error, "search"))),
    })?;
    let kind = Kind::of(metadata.file_type());
    if !matches!(kind, Kind::Regular | Kind::Directory) {
        return Err(Fault::Refused(ToolError::new(format_args!(
            "Failed to search '{}': neither a regular file nor a directory",
            first_chars(path, MAX_SHOWN_CHARS)
        ))));
    }
    let trimmed = path.trim().trim_end_matches('/');
    let given = if trimmed.is_empty() { "/" } else { trimmed }.to_owned();
    Ok((
        Root {
            place: resolved,
            given,
        },
        kind,
    ))
}

/// Tells that a path is missing, and which ones in the same directory look like it.
fn missing(place: &Place) -> String {
    let given = place.given();
    let shown = first_chars(given, MAX_SHOWN_CHARS);
    let similar = similar_paths(place);
    if similar.is_empty() {
        format!("Path not found: {shown}")
    } else {
        format!(
            "Path not found: {shown}. Similar paths: {}",
            similar.join(", ")
        )
    }
}

fn similar_paths(place: &Place) -> Vec<String> {
    let Some(parent) = place.parent() else {
        return Vec::new();
    };
    let Ok(entries) = parent.dir().read_dir(parent.path()) else {
        return Vec::new();
    };
    let names = entries
        .take(MAX_ENTRIES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let above = Path::new(place.given()).parent().unwrap_or(Path::new(""));
    similar_names(&place.shown_name(), names)
        .iter()
        .map(|name| above.join(name).to_string_lossy().into_owned())
        .collect()
}
