//! The compiled form of the module: machine code, kept per user, mapped when it is there and made when it is not.
//!
//! Compiled code is trusted like the executable itself. It is therefore taken only from a directory of the user's own that nobody else
//! can write (0700), and only from a file that the user owns. Its name holds the module's hash, the metering profile, and a hash of
//! wasmtime's version, its settings and the CPU, so that a form that does not fit is never even opened.
#![expect(
    unsafe_code,
    reason = "mapping machine code from a file is what this module exists for"
)]

use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use wasmtime::{Engine, Module};

use super::artifact::{Artifact, ArtifactError, from_environment};
use super::settings::Metering;
use crate::system;

/// Environment variable that names the directory of compiled forms.
pub(crate) const ENV: &str = "HERMES_CACHE_DIR";

/// A compiled form that can be neither found nor made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The module cannot be read.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The module is not WebAssembly that this engine accepts.
    #[error("cannot compile the guest module; hint: rebuild it with `make artifact`")]
    Compile(#[source] wasmtime::Error),
}

/// A reason not to use a cache. The module is compiled in memory instead.
#[derive(Debug, thiserror::Error)]
enum Unsafe {
    #[error("`{0}` belongs to another user or can be written by others")]
    Shared(PathBuf),
    #[error("cannot use `{path}`")]
    Io { path: PathBuf, source: io::Error },
}

/// Where the compiled forms of one user are kept.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    directory: Option<PathBuf>,
}

impl Compiled {
    /// Uses `directory`, else the one that `HERMES_CACHE_DIR` names, else the user's own cache directory.
    pub(super) fn new(directory: Option<PathBuf>) -> Self {
        let directory = directory.or_else(|| from_environment(ENV)).or_else(|| {
            Some(
                etcetera::choose_base_strategy()
                    .ok()?
                    .cache_dir()
                    .join("hermes-runtime"),
            )
        });
        Self { directory }
    }

    /// Returns the file that holds, or would hold, the form for this engine.
    pub(super) fn path(
        &self,
        artifact: &Artifact,
        engine: &Engine,
        metering: Metering,
    ) -> Option<PathBuf> {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        let module = artifact.manifest().sha256.get(..16).unwrap_or("unknown");
        let name = format!(
            "{module}-{}-{:016x}.cwasm",
            metering.name(),
            hasher.finish()
        );
        Some(self.directory.as_ref()?.join(name))
    }

    /// Maps the compiled form, or compiles the module and keeps the result for the next time.
    pub(super) fn load(
        &self,
        artifact: &Artifact,
        engine: &Engine,
        metering: Metering,
    ) -> Result<Module, CacheError> {
        let Some(path) = self.path(artifact, engine, metering) else {
            return compile(artifact, engine).map(|(module, _)| module);
        };
        match map(engine, &path) {
            Ok(Some(module)) => return Ok(module),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "the cache of compiled modules cannot be trusted; compiling in memory");
                return compile(artifact, engine).map(|(module, _)| module);
            }
        }
        let (module, bytes) = compile(artifact, engine)?;
        if let Err(error) = keep(&path, &bytes) {
            tracing::warn!(%error, "the compiled module cannot be kept");
            return Ok(module);
        }
        // A mapped module shares its pages with every process; one compiled in memory is private.
        Ok(map(engine, &path).ok().flatten().unwrap_or(module))
    }

    /// Compiles the module anew and keeps it, whatever is there.
    pub(super) fn rebuild(
        &self,
        artifact: &Artifact,
        engine: &Engine,
        metering: Metering,
    ) -> Result<Option<PathBuf>, CacheError> {
        let (_, bytes) = compile(artifact, engine)?;
        let Some(path) = self.path(artifact, engine, metering) else {
            return Ok(None);
        };
        match keep(&path, &bytes) {
            Ok(()) => Ok(Some(path)),
            Err(error) => {
                tracing::warn!(%error, "the compiled module cannot be kept");
                Ok(None)
            }
        }
    }
}

fn compile(artifact: &Artifact, engine: &Engine) -> Result<(Module, Vec<u8>), CacheError> {
    let module = Module::new(engine, artifact.read_module()?).map_err(CacheError::Compile)?;
    let bytes = module.serialize().map_err(CacheError::Compile)?;
    Ok((module, bytes))
}

/// Maps a file of the user's own; `None` when there is none or it does not fit this engine.
fn map(engine: &Engine, path: &Path) -> Result<Option<Module>, Unsafe> {
    // Opened once: what is checked is what is mapped.
    let no_links = system::without_links(OpenOptions::new().read(true)).open(path);
    let file = match no_links {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if system::is_link(&error) => {
            return Err(Unsafe::Shared(path.to_path_buf()));
        }
        Err(source) => return Err(unusable(path, source)),
    };
    let metadata = file.metadata().map_err(|source| unusable(path, source))?;
    check_directory(path)?;
    if !metadata.is_file() || !system::is_private(&metadata) {
        return Err(Unsafe::Shared(path.to_path_buf()));
    }
    // SAFETY: the file is machine code that this user's own process wrote from a module that matched its manifest: it is a regular file
    // that only this user can write, in a directory that only this user can write, so nobody else can have put it there or change it.
    match unsafe { Module::deserialize_open_file(engine, file) } {
        Ok(module) => Ok(Some(module)),
        Err(error) => {
            tracing::debug!(%error, "a compiled module does not fit and is made anew");
            Ok(None)
        }
    }
}

fn unusable(path: &Path, source: io::Error) -> Unsafe {
    Unsafe::Io {
        path: path.to_path_buf(),
        source,
    }
}

/// Writes a compiled form beside its place and moves it there, so that a reader sees all of it or nothing.
fn keep(path: &Path, bytes: &[u8]) -> Result<(), Unsafe> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let io = |source| Unsafe::Io {
        path: path.to_path_buf(),
        source,
    };
    system::allow_user_only(fs::DirBuilder::new().recursive(true))
        .create(directory)
        .map_err(io)?;
    check_directory(path)?;
    // The temporary file is created exclusively, with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(io)?;
    file.write_all(bytes).map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    forget_oldest(directory);
    Ok(())
}

/// How many compiled forms are kept: a few artifacts, each in more than one metering profile.
const KEPT_FORMS: usize = 6;

/// Removes the oldest forms beyond those that are kept. One that is in use stays mapped until its process ends.
fn forget_oldest(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    let mut forms: Vec<_> = entries
        .flatten()
        .filter(|entry| {
            Path::new(&entry.file_name())
                .extension()
                .is_some_and(|kind| kind == "cwasm")
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    forms.sort();
    for (_, path) in forms.iter().rev().skip(KEPT_FORMS) {
        if let Err(error) = fs::remove_file(path) {
            tracing::debug!(%error, "an old compiled module cannot be removed");
        }
    }
}

fn check_directory(file: &Path) -> Result<(), Unsafe> {
    let directory = file.parent().unwrap_or(Path::new("."));
    let metadata = fs::metadata(directory).map_err(|source| Unsafe::Io {
        path: directory.to_path_buf(),
        source,
    })?;
    if system::is_private(&metadata) {
        Ok(())
    } else {
        Err(Unsafe::Shared(directory.to_path_buf()))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::os::unix::fs::{MetadataExt as _, PermissionsExt};

    use sha2::{Digest, Sha256};

    use super::super::{artifact, settings};
    use super::*;

    /// The smallest module: a magic number and a version.
    const EMPTY_MODULE: &[u8] = b"\0asm\x01\0\0\0";

    struct Fixture {
        folder: tempfile::TempDir,
        artifact: Artifact,
        engine: Engine,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("m.wasm"), EMPTY_MODULE).unwrap();
            let sha256 = artifact::hex(&Sha256::digest(EMPTY_MODULE));
            let manifest = format!(
                r#"{{"module":"m.wasm","sha256":"{sha256}","size":8,"cpython":"3.13.5","interface":1}}"#
            );
            fs::write(folder.path().join("manifest.json"), manifest).unwrap();
            let artifact = Artifact::open(folder.path()).unwrap();
            Self {
                folder,
                artifact,
                engine: settings::engine(Metering::Epoch, 1 << 20, None).unwrap(),
            }
        }

        fn cache(&self) -> Compiled {
            Compiled::new(Some(self.folder.path().join("cache")))
        }

        fn path(&self) -> PathBuf {
            self.cache()
                .path(&self.artifact, &self.engine, Metering::Epoch)
                .unwrap()
        }
    }

    #[test]
    fn a_compiled_form_is_kept_in_a_private_directory() {
        let fixture = Fixture::new();
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
        let directory = fs::metadata(fixture.path().parent().unwrap()).unwrap();
        assert_eq!(directory.mode() & 0o777, 0o700);
        assert_eq!(fs::metadata(fixture.path()).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_truncated_form_is_made_anew() {
        let fixture = Fixture::new();
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
        let whole = fs::read(fixture.path()).unwrap();
        fs::write(fixture.path(), &whole[..64]).unwrap();
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
        assert_eq!(fs::read(fixture.path()).unwrap(), whole);
    }

    #[test]
    fn a_directory_that_others_can_write_is_not_trusted() {
        let fixture = Fixture::new();
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
        let directory = fixture.path().parent().unwrap().to_path_buf();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(
            matches!(map(&fixture.engine, &fixture.path()), Err(Unsafe::Shared(path)) if path == directory)
        );
        // The module still loads, without the cache.
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
    }

    #[test]
    fn a_symlink_in_place_of_a_form_is_not_trusted() {
        let fixture = Fixture::new();
        fixture
            .cache()
            .load(&fixture.artifact, &fixture.engine, Metering::Epoch)
            .unwrap();
        let elsewhere = fixture.folder.path().join("elsewhere");
        fs::rename(fixture.path(), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, fixture.path()).unwrap();
        assert!(matches!(
            map(&fixture.engine, &fixture.path()),
            Err(Unsafe::Shared(_))
        ));
    }

    #[test]
    fn only_the_newest_forms_are_kept() {
        let fixture = Fixture::new();
        for number in 0..KEPT_FORMS + 3 {
            let path = fixture.path().with_file_name(format!("{number}.cwasm"));
            keep(&path, b"form").unwrap();
            let age = std::time::Duration::from_secs(1_000 - number as u64);
            let then = std::time::SystemTime::now() - age;
            fs::File::open(&path).unwrap().set_modified(then).unwrap();
        }
        forget_oldest(fixture.path().parent().unwrap());
        let mut names: Vec<_> = fs::read_dir(fixture.path().parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "3.cwasm", "4.cwasm", "5.cwasm", "6.cwasm", "7.cwasm", "8.cwasm"
            ]
        );
    }

    #[test]
    fn each_metering_profile_has_a_form_of_its_own() {
        let fixture = Fixture::new();
        let fuel = Metering::Fuel { per_cell: 1 };
        let engine = settings::engine(fuel, 1 << 20, None).unwrap();
        let other = fixture
            .cache()
            .path(&fixture.artifact, &engine, fuel)
            .unwrap();
        assert_ne!(other, fixture.path());
    }
}
