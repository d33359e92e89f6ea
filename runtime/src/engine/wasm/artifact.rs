//! The guest artifact: where it lies, and whether it is what its manifest says.
//!
//! An artifact is a directory with a `manifest.json` and the module that it names. It is found by an explicit path, by the environment
//! variable [`ENV`], beside the executable or in the user's data directory, in this order; the first that has a manifest is taken.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

/// Environment variable that names the artifact's directory.
pub(crate) const ENV: &str = "HERMES_ARTIFACT_DIR";

/// How many directories above the executable are searched for one named `artifact`.
const LEVELS_ABOVE_EXECUTABLE: usize = 3;

/// Bytes of a manifest at most; a real one has a few thousand.
const MANIFEST_LIMIT: u64 = 1 << 20;

/// What `manifest.json` says about the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// File name of the module, in the same directory.
    pub module: String,
    /// SHA-256 of the module, 64 lower-case hexadecimal digits.
    #[serde(deserialize_with = "sha256")]
    pub sha256: String,
    /// Size of the module in bytes.
    pub size: u64,
    /// Version of the interpreter inside.
    pub cpython: String,
    /// Version of the functions between the module and its host, see [`GUEST_INTERFACE`].
    #[serde(default)]
    pub interface: u32,
}

/// Version of the functions between this library and the module. Raised with every change that an older half would not understand.
pub const GUEST_INTERFACE: u32 = 1;

/// Reads a SHA-256. Anything else is refused: the digits become part of the compiled form's file name.
fn sha256<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() == 64 && text.bytes().all(is_digit) {
        Ok(text)
    } else {
        Err(D::Error::custom(
            "`sha256` is not 64 lower-case hexadecimal digits",
        ))
    }
}

/// A guest artifact that was found; its module is read only when it has to be compiled.
#[derive(Debug, Clone)]
pub struct Artifact {
    directory: PathBuf,
    manifest: Manifest,
}

/// An artifact that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// No directory has one.
    #[error("no guest artifact found (searched {}); hint: build it with `make artifact`, or set `{ENV}`", list(.searched))]
    Missing {
        /// The directories that were searched.
        searched: Vec<PathBuf>,
    },
    /// A file of the artifact cannot be read.
    #[error("cannot read `{path}`")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The manifest is not one.
    #[error(
        "`{path}` is not a manifest of a guest artifact; hint: rebuild it with `make artifact`"
    )]
    Malformed {
        /// The manifest.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The module speaks another version of the interface.
    #[error(
        "`{path}` is for another version of this program (interface {found}, not {GUEST_INTERFACE}); hint: rebuild it with `make artifact`"
    )]
    Foreign {
        /// The manifest.
        path: PathBuf,
        /// The version that it names.
        found: u32,
    },
    /// The module is not the one that the manifest describes.
    #[error(
        "`{path}` is damaged: its SHA-256 is {found}, the manifest says {expected}; hint: rebuild it with `make artifact`"
    )]
    Damaged {
        /// The module.
        path: PathBuf,
        /// What the manifest says.
        expected: String,
        /// What the file has.
        found: String,
    },
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    names.join(", ")
}

impl Artifact {
    /// Finds the artifact; an explicit directory or the environment variable excludes every other place.
    pub fn find(explicit: Option<&Path>) -> Result<Self, ArtifactError> {
        let places = match explicit
            .map(Path::to_path_buf)
            .or_else(|| from_environment(ENV))
        {
            Some(directory) => vec![directory],
            None => usual_places(),
        };
        match places
            .iter()
            .find(|place| place.join("manifest.json").is_file())
        {
            Some(place) => Self::open(place),
            None => Err(ArtifactError::Missing { searched: places }),
        }
    }

    /// Opens the artifact in a directory.
    pub fn open(directory: &Path) -> Result<Self, ArtifactError> {
        let path = directory.join("manifest.json");
        let unreadable = |source| ArtifactError::Unreadable {
            path: path.clone(),
            source,
        };
        if fs::metadata(&path).map_err(unreadable)?.len() > MANIFEST_LIMIT {
            return Err(unreadable(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "larger than 1 MiB",
            )));
        }
        let text = fs::read(&path).map_err(unreadable)?;
        let manifest: Manifest = match serde_json::from_slice(&text) {
            Ok(manifest) => manifest,
            Err(source) => return Err(ArtifactError::Malformed { path, source }),
        };
        if manifest.interface != GUEST_INTERFACE {
            return Err(ArtifactError::Foreign {
                path,
                found: manifest.interface,
            });
        }
        Ok(Self {
            directory: directory.to_path_buf(),
            manifest,
        })
    }

    /// Returns what the manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the path of the module.
    pub fn module_path(&self) -> PathBuf {
        // Only a file name counts: a manifest cannot point out of its directory.
        let name = Path::new(&self.manifest.module)
            .file_name()
            .unwrap_or_default();
        self.directory.join(name)
    }

    /// Reads the module and compares it with the manifest.
    pub fn read_module(&self) -> Result<Vec<u8>, ArtifactError> {
        let path = self.module_path();
        let bytes = fs::read(&path).map_err(|source| ArtifactError::Unreadable {
            path: path.clone(),
            source,
        })?;
        let found = hex(&Sha256::digest(&bytes));
        if found == self.manifest.sha256 {
            Ok(bytes)
        } else {
            Err(ArtifactError::Damaged {
                path,
                expected: self.manifest.sha256.clone(),
                found,
            })
        }
    }
}

fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Ok(executable) = std::env::current_exe() {
        places.extend(
            executable
                .ancestors()
                .skip(1)
                .take(LEVELS_ABOVE_EXECUTABLE)
                .map(|above| above.join("artifact")),
        );
    }
    if let Ok(base) = etcetera::choose_base_strategy() {
        places.push(base.data_dir().join("hermes-runtime").join("artifact"));
    }
    places
}

/// Returns a path from the environment; an empty one is none.
pub(super) fn from_environment(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Returns bytes as lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn artifact(module: &[u8], sha256: &str) -> (tempfile::TempDir, Artifact) {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("m.wasm"), module).unwrap();
        let manifest = format!(
            r#"{{"module":"m.wasm","sha256":"{sha256}","size":{},"cpython":"3.13.5","interface":1}}"#,
            module.len()
        );
        fs::write(directory.path().join("manifest.json"), manifest).unwrap();
        let artifact = Artifact::find(Some(directory.path())).unwrap();
        (directory, artifact)
    }

    #[test]
    fn a_module_that_matches_its_manifest_is_read() {
        let (_directory, artifact) = artifact(b"module", &hex(&Sha256::digest(b"module")));
        assert_eq!(artifact.read_module().unwrap(), b"module");
    }

    #[test]
    fn a_module_that_differs_from_its_manifest_is_damaged() {
        let (_directory, artifact) = artifact(b"tampered", &hex(&Sha256::digest(b"module")));
        assert!(matches!(
            artifact.read_module(),
            Err(ArtifactError::Damaged { .. })
        ));
    }

    #[test]
    fn a_manifest_cannot_point_out_of_its_directory() {
        let (directory, mut artifact) = artifact(b"module", &"0".repeat(64));
        artifact.manifest.module = "../../etc/passwd".to_owned();
        assert_eq!(artifact.module_path(), directory.path().join("passwd"));
    }

    #[test]
    fn a_directory_without_a_manifest_is_named_in_the_error() {
        let directory = tempfile::tempdir().unwrap();
        let error = Artifact::find(Some(directory.path()))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(&directory.path().display().to_string()),
            "{error}"
        );
        assert!(error.contains("make artifact"), "{error}");
    }

    #[test]
    fn a_manifest_of_another_interface_is_foreign() {
        let directory = tempfile::tempdir().unwrap();
        let digits = "0".repeat(64);
        let manifest =
            format!(r#"{{"module":"m.wasm","sha256":"{digits}","size":0,"cpython":"3.13.5"}}"#);
        fs::write(directory.path().join("manifest.json"), manifest).unwrap();
        assert!(matches!(
            Artifact::open(directory.path()),
            Err(ArtifactError::Foreign { found: 0, .. })
        ));
    }

    #[test]
    fn a_hash_that_is_none_is_malformed() {
        for hash in [
            "",
            "../../../../tmp/x",
            &"G".repeat(64),
            &"A".repeat(64),
            &"0".repeat(65),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let manifest = format!(
                r#"{{"module":"m.wasm","sha256":"{hash}","size":0,"cpython":"3.13.5","interface":1}}"#
            );
            fs::write(directory.path().join("manifest.json"), manifest).unwrap();
            let opened = Artifact::open(directory.path());
            assert!(
                matches!(opened, Err(ArtifactError::Malformed { .. })),
                "{hash}"
            );
        }
    }

    #[test]
    fn a_broken_manifest_is_malformed() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("manifest.json"), "{").unwrap();
        assert!(matches!(
            Artifact::open(directory.path()),
            Err(ArtifactError::Malformed { .. })
        ));
    }
}
