//! Names of files that are never text: what such a file holds is not even looked at.
//!
//! An extension that text files have as well, such as `.dat` or `.bin`, is not here; their content decides.

use std::path::Path;

/// Extensions of pictures.
const IMAGES: [&str; 13] = [
    "png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "ico", "heic", "heif", "avif", "psd",
];

/// Extensions of other files without text. Documents are among them: to extract their text is a host's business.
const OTHERS: [&str; 74] = [
    // Documents and e-books.
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "epub", "mobi",
    // Archives and images of disks.
    "zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "lz4", "7z", "rar", "iso", "dmg", "deb", "rpm",
    "jar", "war", "whl", "apk", "cab", // Programs and what compilers make.
    "exe", "dll", "so", "dylib", "msi", "o", "obj", "lib", "class", "pyc", "pyo", "wasm", "rlib",
    // Sound and moving pictures.
    "mp3", "wav", "flac", "ogg", "oga", "opus", "m4a", "aac", "aiff", "wma", "mp4", "m4v", "mov",
    "avi", "mkv", "webm", "wmv", "flv", "mpg", "mpeg", // Fonts.
    "ttf", "otf", "woff", "woff2", "eot", // Data bases.
    "sqlite", "sqlite3", "mdb", "parquet", "npy",
];

/// Describes a file that is not text by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BinaryExtension {
    extension: String,
}

impl BinaryExtension {
    /// Judges a file name; `None` if a file of this name can be text.
    pub(super) fn of(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        let is_known = |known: &[&str]| known.contains(&extension.as_str());
        (is_known(&IMAGES) || is_known(&OTHERS)).then_some(Self { extension })
    }

    /// Tells whether it is a picture.
    pub(super) fn is_image(&self) -> bool {
        IMAGES.contains(&self.extension.as_str())
    }

    /// Returns what to tell a script that wrote the path like this.
    pub(super) fn explain(&self, path: &str) -> String {
        format!(
            "Cannot read binary file '{path}' (.{}). Use vision_analyze for images, or terminal to inspect binary files.",
            self.extension
        )
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    #[test]
    fn extensions_are_known_in_any_case() {
        for (name, image) in [("a.PNG", true), ("b.tar.gz", false), ("c.Docx", false)] {
            assert_eq!(
                BinaryExtension::of(name).unwrap().is_image(),
                image,
                "{name}"
            );
        }
        for name in [
            "png",
            ".png",
            "a.txt",
            "a.ipynb",
            "a.svg",
            "a.png.txt",
            "a.",
            "a",
        ] {
            assert_eq!(BinaryExtension::of(name), None, "{name}");
        }
        assert_eq!(
            BinaryExtension::of("x.PDF").unwrap().explain("d/x.PDF"),
            "Cannot read binary file 'd/x.PDF' (.pdf). Use vision_analyze for images, or terminal to inspect binary files."
        );
    }
}
