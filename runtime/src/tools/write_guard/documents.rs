//! The guard of files that are not text: plain text in their place would be no document, and the old one would be lost.

use std::io::Read as _;
use std::path::Path;

use super::Target;
use crate::fs::{Homes, Place};

/// Extensions of documents that are containers; text in them is of no use to any program.
const CONTAINERS: [&str; 16] = [
    "doc", "docm", "docx", "dotx", "epub", "odg", "odp", "ods", "odt", "ppt", "pptm", "pptx",
    "xls", "xlsb", "xlsm", "xlsx",
];

/// Extensions of files that hold data for programs; an existing one is not overwritten unless it is text.
const BINARIES: [&str; 72] = [
    "7z",
    "a",
    "aac",
    "avi",
    "avif",
    "bin",
    "bmp",
    "bz2",
    "class",
    "db",
    "dll",
    "dmg",
    "dylib",
    "eot",
    "exe",
    "feather",
    "flac",
    "gif",
    "gz",
    "h5",
    "hdf5",
    "heic",
    "ico",
    "iso",
    "jar",
    "jpeg",
    "jpg",
    "lz4",
    "m4a",
    "m4v",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "npy",
    "npz",
    "o",
    "ogg",
    "onnx",
    "opus",
    "otf",
    "parquet",
    "pkl",
    "png",
    "psd",
    "pt",
    "pyc",
    "pyd",
    "pyo",
    "rar",
    "safetensors",
    "so",
    "sqlite",
    "sqlite3",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ttf",
    "war",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "wmv",
    "woff",
    "woff2",
    "xz",
    "zip",
];

const DATABASES: [&str; 4] = ["db", "db3", "sqlite", "sqlite3"];
const SIDECARS: [&str; 3] = ["-journal", "-shm", "-wal"];

/// Number of bytes that tell text from other data.
const SAMPLE_BYTES: u64 = 1_000;

pub(super) fn binary(_: &Homes, target: &Target) -> Option<String> {
    let shown = target.shown();
    let has = |extensions: &[&str]| {
        target.is_any(|path| {
            extension(path).is_some_and(|found| extensions.contains(&found.as_str()))
        })
    };
    if has(&CONTAINERS) {
        return Some(format!(
            "Refusing to write plain text to binary document '{shown}'. Such a file is a container, and no program can open one that holds plain text. Make it with a library for its format, or write a text file with another extension."
        ));
    }
    if has(&["pdf"]) && has_content(&target.landing) {
        return Some(format!(
            "Refusing to overwrite existing PDF '{shown}' with plain text. The document would be lost. Write to another path, or make the new PDF with a library for the format."
        ));
    }
    if has(&BINARIES) && is_not_text(&target.landing) {
        return Some(format!(
            "Refusing to overwrite existing binary file '{shown}'. Its data would be lost, and text is not what programs expect in it. Write to another path, or delete the file first if nobody needs it."
        ));
    }
    if is_sidecar(&target.landing) {
        return Some(format!(
            "Refusing to overwrite existing binary file '{shown}'. It belongs to an SQLite database, which text in it would damage. Change the database with SQLite instead."
        ));
    }
    None
}

/// Returns the extension in small letters.
fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

fn has_content(place: &Place) -> bool {
    place.metadata().is_ok_and(|metadata| metadata.len() > 0)
}

/// Tells whether there is a file that does not begin as text does; one that cannot be read counts.
fn is_not_text(place: &Place) -> bool {
    if !has_content(place) {
        return false;
    }
    let mut start = Vec::new();
    let read = place
        .open()
        .map(|opened| opened.file.take(SAMPLE_BYTES).read_to_end(&mut start));
    let is_text = match std::str::from_utf8(&start) {
        Ok(_) => true,
        // The sample may end in the middle of a character.
        Err(error) => error.error_len().is_none(),
    };
    !matches!(read, Ok(Ok(_))) || !is_text || start.contains(&0)
}

/// Tells whether the file is the journal of a database, or would be taken for it.
fn is_sidecar(place: &Place) -> bool {
    let name = place.shown_name();
    let Some(database) = SIDECARS.iter().find_map(|end| name.strip_suffix(end)) else {
        return false;
    };
    let is_database = extension(Path::new(database))
        .is_some_and(|extension| DATABASES.contains(&extension.as_str()));
    is_database && (place.has_entry() || place.sibling(database).has_entry())
}
