//! The interpreter's life: it is started once, before the snapshot, and runs cells afterwards.
//!
//! `hermes_init` starts CPython from the archive that the module carries and imports what scripts need most; the snapshot is taken right
//! after it. `hermes_run` runs one cell. Neither may unwind: a failure of our own ends in a trap, which the host reports.
#![expect(
    unsafe_code,
    reason = "the interpreter's configuration is a C interface, and exports are foreign functions"
)]

use std::cell::OnceCell;
use std::ffi::CString;
use std::mem::MaybeUninit;

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyModule};

use crate::{compaction, fs, host, memory, module, stdio};

/// Where the archive of the standard library, compiled, is mounted read-only.
const STDLIB_PATH: &str = "/lib/python313.zip";

/// The Python half of the guest, in the order in which the modules need each other.
const PYTHON_HALF: [(&str, &str); 10] = [
    ("waiting", include_str!("../python/waiting.py")),
    ("threads", include_str!("../python/threads.py")),
    ("refusals", include_str!("../python/refusals.py")),
    ("eventloop", include_str!("../python/eventloop.py")),
    ("derivation", include_str!("../python/derivation.py")),
    ("tools", include_str!("../python/tools.py")),
    ("exceptions", include_str!("../python/exceptions.py")),
    ("output", include_str!("../python/output.py")),
    ("cell", include_str!("../python/cell.py")),
    ("snapshot", include_str!("../python/snapshot.py")),
];

/// The Python functions around a cell's code, found once before the snapshot.
struct Cells(OnceCell<Functions>);

struct Functions {
    begin: Py<PyAny>,
    end: Py<PyAny>,
    namespace: Py<PyAny>,
}

// SAFETY: the guest has one thread.
unsafe impl Sync for Cells {}

static CELLS: Cells = Cells(OnceCell::new());

/// Starts the interpreter; called once, before the snapshot. The standard library's archive, `length` bytes, waits on the host's side.
#[unsafe(no_mangle)]
extern "C" fn hermes_init(length: usize) {
    if let Err(message) = initialize(length) {
        host::output(host::Stream::Traceback, message.as_bytes());
        std::process::abort();
    }
    memory::hold();
    compaction::fill_holes();
    stdio::clear();
}

/// Runs the cell whose source, `length` bytes of UTF-8, waits on the host's side: 0 it ended, 1 it raised, 2 it asked to exit.
#[unsafe(no_mangle)]
extern "C" fn hermes_run(length: usize) -> i32 {
    memory::hold();
    Python::attach(|py| {
        let source = PyBytes::new_with(py, length, |bytes| {
            host::take(bytes);
            Ok(())
        });
        source
            .and_then(|source| run(py, &source))
            .unwrap_or_else(|error| {
                // The source did not fit, or an exception hit our own few lines: the cell failed, the kernel did not.
                let name = error.get_type(py).name().map(|name| name.to_string());
                let text = format!("{}: {}\n", name.unwrap_or_default(), error.value(py));
                host::output(host::Stream::Traceback, text.as_bytes());
                1
            })
    })
}

/// Runs one cell: Python's part before, the code itself with no frame below it, Python's part after.
pub(crate) fn run(py: Python<'_>, source: &Bound<'_, PyBytes>) -> PyResult<i32> {
    let Some(cells) = CELLS.0.get() else {
        return Err(PySystemError::new_err(
            "the interpreter was not initialised",
        ));
    };
    let code = cells.begin.call1(py, (source,))?;
    if code.is_none(py) {
        return Ok(1);
    }
    let namespace = cells.namespace.as_ptr();
    // SAFETY: `begin` returned a code object, and the namespace is a dictionary that lives as long as the module.
    let result = unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyEval_EvalCode(code.as_ptr(), namespace, namespace),
        )
    };
    let error = result.err().map(|error| error.into_value(py));
    cells.end.call1(py, (error,))?.extract(py)
}

fn initialize(length: usize) -> Result<(), String> {
    let mut archive = vec![0; length];
    host::take(&mut archive);
    // The archive becomes part of the snapshot and lives as long as the module.
    let archive: &'static [u8] = Vec::leak(archive);
    fs::set_stdio(Box::new(stdio::Streams))
        .and_then(|()| {
            fs::with_file_system(|files| files.mount_static(STDLIB_PATH, archive, 0)).flatten()
        })
        .map_err(|errno| format!("cannot prepare the file system: {errno:?}"))?;
    let python = module::python::__PYO3_NAME;
    // SAFETY: the interpreter is not running yet, and the name is a static string that ends in NUL.
    if unsafe { ffi::PyImport_AppendInittab(python.as_ptr(), Some(module::python::__pyo3_init)) }
        != 0
    {
        return Err("cannot register the module `_hermes`".to_owned());
    }
    start()?;
    Python::attach(|py| {
        load(py).map_err(|error| {
            error.display(py);
            format!("the Python half failed to load: {error}")
        })
    })
}

/// Starts CPython in isolation: nothing of an environment, of a command line or of a site directory takes part.
fn start() -> Result<(), String> {
    let mut pre = MaybeUninit::<ffi::PyPreConfig>::zeroed();
    let mut config = MaybeUninit::<ffi::PyConfig>::zeroed();
    // SAFETY: each structure is initialised by CPython's own function before any field is read, and both outlive the calls.
    let status = unsafe {
        ffi::PyPreConfig_InitIsolatedConfig(pre.as_mut_ptr());
        pre.assume_init_mut().utf8_mode = 1;
        let status = ffi::Py_PreInitialize(pre.as_ptr());
        if ffi::PyStatus_Exception(status) != 0 {
            return Err("CPython refused its pre-configuration".to_owned());
        }
        ffi::PyConfig_InitIsolatedConfig(config.as_mut_ptr());
        let config = config.assume_init_mut();
        config.site_import = 0;
        config.write_bytecode = 0;
        config.install_signal_handlers = 0;
        // Fixed, so that a script behaves the same in every sandbox: a seed would be frozen in the snapshot anyway. Colliding keys can
        // only slow down the script that makes them, and its limits hold.
        config.use_hash_seed = 1;
        config.hash_seed = 0;
        let path: Vec<i32> = STDLIB_PATH.bytes().map(i32::from).chain([0]).collect();
        ffi::PyWideStringList_Append(&raw mut config.module_search_paths, path.as_ptr());
        config.module_search_paths_set = 1;
        ffi::Py_InitializeFromConfig(config)
    };
    // SAFETY: `status` is a plain value.
    if unsafe { ffi::PyStatus_Exception(status) } != 0 {
        // SAFETY: the message is a static string or null.
        let reason = unsafe {
            status.err_msg.as_ref().map(|_| {
                std::ffi::CStr::from_ptr(status.err_msg)
                    .to_string_lossy()
                    .into_owned()
            })
        };
        return Err(format!(
            "CPython did not start: {}",
            reason.unwrap_or_default()
        ));
    }
    Ok(())
}

/// Loads the Python half as the package `hermes_guest` and keeps the function that runs cells.
fn load(py: Python<'_>) -> PyResult<()> {
    let package = PyModule::new(py, "hermes_guest")?;
    package.setattr("__path__", Vec::<String>::new())?;
    let modules = py.import("sys")?.getattr("modules")?;
    modules.set_item("hermes_guest", &package)?;
    for (name, source) in PYTHON_HALF {
        let module = PyModule::from_code(
            py,
            &CString::new(source)?,
            &CString::new(format!("<hermes:{name}>"))?,
            &CString::new(format!("hermes_guest.{name}"))?,
        )?;
        modules.set_item(format!("hermes_guest.{name}"), &module)?;
        package.setattr(name, module)?;
    }
    let cell = package.getattr("cell")?;
    let functions = Functions {
        begin: cell.getattr("begin")?.unbind(),
        end: cell.getattr("end")?.unbind(),
        namespace: cell.getattr("namespace")?.unbind(),
    };
    if CELLS.0.set(functions).is_err() {
        return Err(PySystemError::new_err("initialised twice"));
    }
    package.getattr("snapshot")?.call_method0("prepare")?;
    Ok(())
}
