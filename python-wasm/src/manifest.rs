//! What is written down about a build: the record of every step, and the manifest beside the finished artifact.
//!
//! Files are replaced in one move, so a reader sees the old or the new text and never half of one.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// What a finished step was made from and what it made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The step's name.
    pub(crate) name: String,
    /// The key of its inputs.
    pub(crate) inputs: String,
    /// Its results.
    pub(crate) outputs: Vec<Output>,
    /// How long it took, in seconds.
    pub(crate) seconds: f64,
}

/// One result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Output {
    /// Its path, relative to the output directory where it lies in it.
    pub(crate) path: String,
    /// Its hash; of a directory, that of the names and sizes in it.
    pub(crate) sha256: String,
}

/// The records of all steps that are finished.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Records {
    steps: Vec<Record>,
}

impl Records {
    /// Returns the records of a file; none when it is absent or not ours, for then every step is simply done again.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        match fs::read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
        }
    }

    /// Writes the records to a file.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        write_json(path, self)
    }

    /// Returns the record of a step.
    pub(crate) fn get(&self, step: &str) -> Option<&Record> {
        self.steps.iter().find(|record| record.name == step)
    }

    /// Adds a record, in place of the step's earlier one.
    pub(crate) fn put(&mut self, record: Record) {
        self.remove(&record.name);
        self.steps.push(record);
    }

    /// Forgets a step. Returns whether there was a record.
    pub(crate) fn remove(&mut self, step: &str) -> bool {
        let before = self.steps.len();
        self.steps.retain(|record| record.name != step);
        self.steps.len() != before
    }
}

/// The manifest beside the artifact: how the runtime finds the module and knows that it is whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The module's file name, in the manifest's directory.
    pub(crate) module: String,
    /// Version of the functions between the module and the runtime.
    pub(crate) interface: u32,
    /// The module's SHA-256.
    pub(crate) sha256: String,
    /// The module's size in bytes.
    pub(crate) size: u64,
    /// The version of `CPython` in it.
    pub(crate) cpython: String,
    /// The steps that it was made by, in order.
    pub(crate) steps: Vec<Record>,
}

impl Manifest {
    /// The manifest's name in the artifact directory.
    pub(crate) const FILE_NAME: &str = "manifest.json";

    /// Writes the manifest into the artifact directory.
    pub(crate) fn save(&self, directory: &Path) -> Result<()> {
        write_json(&directory.join(Self::FILE_NAME), self)
    }
}

/// Writes a file in one move, through a sibling with another name.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let context = || format!("cannot write `{}`", path.display());
    let mut name = path.file_name().with_context(context)?.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(context)?;
    }
    fs::write(&temporary, bytes).with_context(context)?;
    fs::rename(&temporary, path).with_context(context)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(value)
        .with_context(|| format!("cannot write `{}`", path.display()))?;
    text.push(b'\n');
    write_whole(path, &text)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;

    fn record(name: &str, inputs: &str) -> Record {
        let output = Output {
            path: "a.o".into(),
            sha256: "00".into(),
        };
        Record {
            name: name.into(),
            inputs: inputs.into(),
            outputs: vec![output],
            seconds: 1.5,
        }
    }

    #[test]
    fn records_survive_a_round_trip_and_keep_one_record_per_step() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/steps.json");
        assert_eq!(Records::load(&path).unwrap(), Records::default());
        let mut records = Records::default();
        records.put(record("fetch", "1"));
        records.put(record("native", "2"));
        records.put(record("fetch", "3"));
        records.save(&path).unwrap();
        let loaded = Records::load(&path).unwrap();
        assert_eq!(loaded, records);
        assert_eq!(loaded.get("fetch").unwrap().inputs, "3");
        assert_eq!(loaded.steps.len(), 2);
    }

    #[test]
    fn a_damaged_record_file_means_that_nothing_is_done() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("steps.json");
        fs::write(&path, "{\"steps\": [").unwrap();
        assert_eq!(Records::load(&path).unwrap(), Records::default());
    }

    #[test]
    fn a_manifest_is_written_with_the_documented_keys_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let manifest = Manifest {
            module: "hermes-guest-00.wasm".into(),
            interface: 1,
            sha256: "00ff".into(),
            size: 7,
            cpython: "3.13.5".into(),
            steps: vec![record("fetch", "1")],
        };
        manifest.save(directory.path()).unwrap();
        let text = fs::read_to_string(directory.path().join("manifest.json")).unwrap();
        let compact: String = text.split_whitespace().collect();
        assert_eq!(
            compact,
            r#"{"module":"hermes-guest-00.wasm","interface":1,"sha256":"00ff","size":7,"cpython":"3.13.5","steps":[{"name":"fetch","inputs":"1","outputs":[{"path":"a.o","sha256":"00"}],"seconds":1.5}]}"#
        );
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest);
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            1,
            "no temporary file stays behind"
        );
    }
}
