//! The pre-initialised module: the guest's initialisation runs once, here, and the memory that it leaves behind becomes
//! the module's data.
//!
//! The guest sees a machine without a past: a clock that stands still, random bytes of a fixed seed, no files. So the
//! same guest gives the same bytes. What must differ between sandboxes the guest renews when it starts.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use wasmtime::{Config, Engine, Instance, Module, Store, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

use crate::command::Log;
use crate::digest::Key;
use crate::machine::{self, Machine, plain};
use crate::manifest::write_whole;
use crate::sections::without_custom_sections;
use crate::step::{Context, Step};

/// Raised when this file does something else with the same inputs.
const RECIPE: &str = "1";

/// The guest's initialisation, exported for this step only.
const INIT: &str = "hermes_init";

/// The stack of the initialisation, in bytes: what the runtime grants too, and a thread that has room for it.
const WASM_STACK: usize = 4 << 20;
const THREAD_STACK: usize = 16 << 20;

/// What the guest sees and what is stripped off, as source: whatever changes there may change the snapshot.
const MACHINE: &str = include_str!("../machine.rs");
const SECTIONS: &str = include_str!("../sections.rs");

/// Pre-initialises the guest module.
#[derive(Debug)]
pub(crate) struct Preinit;

impl Step for Preinit {
    fn name(&self) -> &'static str {
        "preinit"
    }

    fn task(&self) -> &'static str {
        "runs the guest's initialisation and keeps its memory"
    }

    fn seconds(&self) -> u32 {
        15
    }

    fn needs(&self, _: &Context) -> Vec<&'static str> {
        vec!["stdlib", "guest"]
    }

    fn inputs(&self, context: &Context, key: &mut Key) -> Result<()> {
        key.text(
            "recipe",
            &format!("{RECIPE} {INIT} {WASM_STACK} {THREAD_STACK}"),
        );
        key.text("machine", MACHINE);
        key.text("sections", SECTIONS);
        // It names the versions of wasmtime and wizer.
        key.file("lock", &context.workspace.root().join("Cargo.lock"))
    }

    fn run(&self, context: &Context, log: &Log) -> Result<Option<String>> {
        let read = |path: PathBuf| {
            fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))
        };
        let snapshot = preinitialise(
            read(context.workspace.guest())?,
            read(context.workspace.stdlib())?,
        )?;
        log.write(&snapshot.output)?;
        write_whole(&context.workspace.snapshot(), &snapshot.module)?;
        Ok(Some(format!("{} bytes", snapshot.module.len())))
    }

    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>> {
        Ok(vec![context.workspace.snapshot()])
    }
}

/// A module whose initialisation has run, and what it printed.
#[derive(Debug)]
struct Snapshot {
    module: Vec<u8>,
    output: String,
}

/// Runs a module's initialisation, which takes the archive of the standard library, on a thread with a large stack.
fn preinitialise(module: Vec<u8>, archive: Vec<u8>) -> Result<Snapshot> {
    let thread = std::thread::Builder::new()
        .name("preinit".into())
        .stack_size(THREAD_STACK);
    let running = thread
        .spawn(move || run(&module, archive))
        .context("cannot start the thread of the initialisation")?;
    running
        .join()
        .map_err(|_| anyhow!("the initialisation panicked"))?
}

fn run(module: &[u8], archive: Vec<u8>) -> Result<Snapshot> {
    let mut wizer = Wizer::new();
    wizer.init_func(INIT);
    let (sections, instrumented) = wizer
        .instrument(module)
        .map_err(plain)
        .context("the guest is not a module that can be pre-initialised")?;
    let mut config = Config::new();
    config
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(THREAD_STACK);
    let engine = Engine::new(&config).map_err(plain)?;
    let compiled = Module::new(&engine, instrumented)
        .map_err(plain)
        .context("the guest cannot be compiled")?;
    machine::check_imports(&compiled)?;

    let mut store = Store::new(&engine, Machine::new(archive));
    let instance = machine::linker(&engine, &compiled)?
        .instantiate(&mut store, &compiled)
        .map_err(plain)?;
    if let Err(error) = initialise(&mut store, &instance) {
        let output = store.data().output();
        return Err(error.context(format!(
            "the guest's initialisation failed; it printed:\n{output}\nand ended with"
        )));
    }

    let mut state = State {
        store,
        instance,
        failure: None,
    };
    let snapshot = now(wizer.snapshot(&sections, &mut state))?.map_err(plain)?;
    if let Some(failure) = state.failure {
        return Err(failure);
    }
    let module = without_custom_sections(&snapshot)?;
    Module::validate(&engine, &module)
        .map_err(plain)
        .context("the pre-initialised module is not valid")?;
    Ok(Snapshot {
        module,
        output: state.store.data().output(),
    })
}

fn initialise(store: &mut Store<Machine>, instance: &Instance) -> Result<()> {
    // A module without constructors has no `_initialize`.
    if let Some(constructors) = instance.get_func(&mut *store, "_initialize") {
        let constructors = constructors.typed::<(), ()>(&*store).map_err(plain)?;
        constructors.call(&mut *store, ()).map_err(plain)?;
    }
    let init = instance
        .get_typed_func::<u32, ()>(&mut *store, INIT)
        .map_err(plain)?;
    let length = store.data().waiting();
    init.call(
        &mut *store,
        length.context("the standard library is larger than the guest's memory")?,
    )
    .map_err(plain)
}

/// What the snapshot reads. Its interface has no errors, so the first one is kept and looked at afterwards.
struct State {
    store: Store<Machine>,
    instance: Instance,
    failure: Option<anyhow::Error>,
}

impl InstanceState for State {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut self.store, name);
        match global.map(|global| global.get(&mut self.store)) {
            Some(Val::I32(value)) => SnapshotVal::I32(value),
            Some(Val::I64(value)) => SnapshotVal::I64(value),
            Some(Val::F32(value)) => SnapshotVal::F32(value),
            Some(Val::F64(value)) => SnapshotVal::F64(value),
            Some(Val::V128(value)) => SnapshotVal::V128(value.as_u128()),
            _ => {
                self.failure
                    .get_or_insert_with(|| anyhow!("the global `{name}` cannot be kept"));
                SnapshotVal::I32(0)
            }
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        if let Some(memory) = self.instance.get_memory(&mut self.store, name) {
            contents(memory.data(&self.store));
        } else {
            self.failure
                .get_or_insert_with(|| anyhow!("the memory `{name}` cannot be kept"));
            contents(&[]);
        }
    }
}

/// Returns the result of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> Result<T> {
    let mut waiting = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut waiting) {
        std::task::Poll::Ready(value) => Ok(value),
        std::task::Poll::Pending => bail!("the snapshot waits for something"),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use super::*;
    use crate::machine::{HOST, WASI};

    /// A module that at its initialisation fills memory with random bytes, prints `ok`, takes the archive and runs
    /// `more`. It imports the function `import` of WASI, which takes two numbers and returns one, and three of the host.
    fn guest(import: &str, more: &[u8]) -> Vec<u8> {
        let name = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
        let section =
            |kind: u8, body: &[u8]| [&[kind, u8::try_from(body.len()).unwrap()], body].concat();
        let imports = [
            &[4][..],
            &[name(WASI), name(import), vec![0, 1]].concat(),
            &[name(HOST), name("output"), vec![0, 2]].concat(),
            &[name(HOST), name("call"), vec![0, 0]].concat(),
            &[name(HOST), name("take"), vec![0, 3]].concat(),
        ];
        let exports = [&[2][..], &name("memory"), &[2, 0], &name(INIT), &[0, 4]];
        let random = [0x41, 0x80, 0x08, 0x41, 8, 0x10, 0, 0x1a];
        let output = [0x41, 1, 0x41, 0, 0x41, 2, 0x10, 1];
        let take = [0x41, 0x80, 0x10, 0x20, 0, 0x10, 3];
        let body = [&[0][..], &random, &output, &take, more, &[0x0b]].concat();
        let types = [
            &[5, 0x60, 0, 0][..],
            &[0x60, 2, 0x7f, 0x7f, 1, 0x7f],
            &[0x60, 3, 0x7f, 0x7f, 0x7f, 0],
            &[0x60, 2, 0x7f, 0x7f, 0],
            &[0x60, 1, 0x7f, 0],
        ];
        [
            b"\0asm\x01\0\0\0".to_vec(),
            section(1, &types.concat()),
            section(2, &imports.concat()),
            section(3, &[1, 4]),
            section(5, &[1, 0, 1]),
            section(7, &exports.concat()),
            section(
                10,
                &[&[1, u8::try_from(body.len()).unwrap()], &body[..]].concat(),
            ),
            section(11, &[&[1, 0, 0x41, 0, 0x0b][..], &name("ok")].concat()),
            section(0, &[name("producers"), vec![0]].concat()),
        ]
        .concat()
    }

    #[test]
    fn another_engine_is_another_input() {
        let directory = tempfile::tempdir().unwrap();
        let context = Context::scratch(directory.path());
        let lock = context.workspace.root().join("Cargo.lock");
        fs::create_dir_all(context.workspace.root()).unwrap();
        fs::write(&lock, "wasmtime 1").unwrap();
        let first = context.inputs(&Preinit).unwrap();
        assert_eq!(first, context.inputs(&Preinit).unwrap());
        fs::write(&lock, "wasmtime 2").unwrap();
        assert_ne!(first, context.inputs(&Preinit).unwrap());
    }

    #[test]
    fn one_guest_gives_the_same_bytes_each_time_with_its_memory_in_them() {
        let guest = guest("random_get", &[]);
        let first = preinitialise(guest.clone(), b"archive".to_vec()).unwrap();
        assert_eq!(first.output, "ok");
        assert_eq!(
            first.module,
            preinitialise(guest, b"archive".to_vec()).unwrap().module
        );
        let mut machine = Machine::new(Vec::new());
        let random: Vec<u8> = (0..8).map(|_| machine.next_random()).collect();
        let holds = |bytes: &[u8]| {
            first
                .module
                .windows(bytes.len())
                .any(|window| window == bytes)
        };
        assert!(holds(&random));
        assert!(holds(b"archive") && holds(b"memory"));
        assert!(!holds(b"producers") && !holds(INIT.as_bytes()));
    }

    #[test]
    fn a_failed_initialisation_shows_what_the_guest_printed() {
        let error = preinitialise(guest("random_get", &[0]), Vec::new()).unwrap_err();
        let text = format!("{error:#}");
        assert!(
            text.starts_with(
                "the guest's initialisation failed; it printed:\nok\nand ended with: "
            ),
            "{text}"
        );
        assert!(
            text.contains("wasm `unreachable` instruction executed"),
            "{text}"
        );
    }

    #[test]
    fn calling_the_host_during_the_initialisation_is_an_error() {
        let error = format!(
            "{:#}",
            preinitialise(guest("random_get", &[0x10, 2]), Vec::new()).unwrap_err()
        );
        assert!(
            error.contains("`hermes.call` was called; there is no host yet"),
            "{error}"
        );
    }

    #[test]
    fn an_import_that_the_runtime_does_not_provide_is_refused() {
        let error = preinitialise(guest("fd_datasync", &[]), Vec::new())
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "the guest imports `wasi_snapshot_preview1.fd_datasync`, which the runtime does not provide\nhint: of \
             `wasi_snapshot_preview1` it may import clock_time_get, clock_res_get, random_get, poll_oneoff, proc_exit; \
             everything else has to be defined in the guest crate"
        );
    }

    #[test]
    fn memory_that_the_guest_does_not_have_is_refused() {
        // output(0, -1, 2)
        let beyond = [0x41, 0, 0x41, 0x7f, 0x41, 2, 0x10, 1];
        let error = format!(
            "{:#}",
            preinitialise(guest("random_get", &beyond), Vec::new()).unwrap_err()
        );
        assert!(
            error.contains("the guest named memory that it does not have"),
            "{error}"
        );
    }
}
