//! A copy of the artifact under test, with a cache of its own; what a test does to it hurts no other.

use std::fs;
use std::path::PathBuf;

use hermes_tests::{Cli, artifact_dir};
use serde_json::Value;
use tempfile::TempDir;

/// A copy of the artifact that a test may damage.
pub(super) struct Copy {
    pub(super) place: TempDir,
    pub(super) manifest: Value,
}

impl Copy {
    pub(super) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(artifact_dir()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, place.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        let manifest =
            serde_json::from_slice(&fs::read(place.path().join("manifest.json")).unwrap()).unwrap();
        Self { place, manifest }
    }

    pub(super) fn module(&self) -> PathBuf {
        self.place
            .path()
            .join(self.manifest["module"].as_str().unwrap())
    }

    pub(super) fn write_manifest(&self, text: &str) {
        fs::write(self.place.path().join("manifest.json"), text).unwrap();
    }

    /// Changes one byte in the middle of the module.
    pub(super) fn damage(&self) {
        let mut bytes = fs::read(self.module()).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(self.module(), bytes).unwrap();
    }

    /// Runs with this artifact and a cache of its own.
    pub(super) fn cli<const N: usize>(&self, arguments: [&str; N]) -> Cli {
        Cli::new(arguments)
            .env("HERMES_ARTIFACT_DIR", self.place.path())
            .env("HERMES_CACHE_DIR", self.cache())
    }

    pub(super) fn cache(&self) -> PathBuf {
        self.place.path().join("cache")
    }

    /// Returns the one compiled form in the cache.
    pub(super) fn compiled(&self) -> PathBuf {
        let files: Vec<_> = fs::read_dir(self.cache())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}
