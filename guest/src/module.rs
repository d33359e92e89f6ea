//! The Python module `_hermes`: what the guest's Python code may ask of its Rust side.

use pyo3::prelude::*;

/// The extension module itself; registered before the interpreter starts.
#[pymodule(name = "_hermes")]
pub(crate) mod python {
    use pyo3::exceptions::{PyMemoryError, PyValueError};
    use pyo3::ffi;
    use pyo3::prelude::*;
    use pyo3::types::{PyBytes, PyList, PyString};

    use crate::host::{self, Stream, Waiting};
    use crate::{immortal, interpreter, kdf, memory};

    /// Calls a host tool with a JSON object and returns its answer, a JSON text.
    #[pyfunction]
    fn call<'py>(py: Python<'py>, name: &str, arguments: &str) -> PyResult<Bound<'py, PyString>> {
        received(py, host::call(name, arguments))
    }

    /// Returns the description of the enabled tools, a JSON text.
    #[pyfunction]
    fn tools(py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        received(py, host::tools())
    }

    /// Hands a cell's traceback to the host.
    #[pyfunction]
    fn traceback(text: &[u8]) {
        host::output(Stream::Traceback, text);
    }

    /// Runs a cell, as the host would: only before the snapshot, to warm the interpreter up.
    #[pyfunction]
    fn run(py: Python<'_>, source: &Bound<'_, PyBytes>) -> PyResult<i32> {
        interpreter::run(py, source)
    }

    /// Makes the objects and all that they refer to immortal; returns how many were not before.
    #[pyfunction]
    fn immortalise(objects: &Bound<'_, PyList>) -> PyResult<usize> {
        immortal::immortalise(objects)
    }

    /// Gives back the memory that was set aside for reporting that there is none.
    #[pyfunction]
    fn release_reserve() {
        memory::release();
    }

    /// Derives a key by PBKDF2-HMAC; `None` for a digest that only Python knows.
    #[pyfunction]
    fn pbkdf2<'py>(
        py: Python<'py>,
        digest: &str,
        password: &[u8],
        salt: &[u8],
        rounds: u32,
        length: usize,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let mut known = false;
        let key = PyBytes::new_with(py, length, |key| {
            known = kdf::pbkdf2(digest, password, salt, rounds, key);
            Ok(())
        })?;
        Ok(known.then_some(key))
    }

    /// Derives a key by scrypt.
    #[pyfunction]
    fn scrypt<'py>(
        py: Python<'py>,
        password: &[u8],
        salt: &[u8],
        n: u64,
        r: u32,
        p: u32,
        length: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let blocks = n.saturating_add(u64::from(p)).saturating_add(2);
        let scratch = usize::try_from(blocks.saturating_mul(u64::from(r)).saturating_mul(128))
            .map_err(|_| PyMemoryError::new_err(()))?;
        drop(room(scratch)?);
        PyBytes::new_with(py, length, |key| {
            kdf::scrypt(password, salt, n, r, p, key).map_err(PyValueError::new_err)
        })
    }

    /// Takes the text that waits on the host's side.
    fn received(py: Python<'_>, waiting: Waiting) -> PyResult<Bound<'_, PyString>> {
        if waiting.is_ascii && waiting.length > 0 {
            return received_ascii(py, waiting.length);
        }
        let mut bytes = room(waiting.length)?;
        bytes.resize(waiting.length, 0);
        host::take(&mut bytes);
        PyString::from_bytes(py, &bytes)
    }

    /// Takes a text of ASCII straight into a new string: the bytes are the string's own, nothing is decoded or copied again.
    #[expect(
        unsafe_code,
        reason = "only CPython's C interface makes a string to be filled"
    )]
    fn received_ascii(py: Python<'_>, length: usize) -> PyResult<Bound<'_, PyString>> {
        const LAST_ASCII: u32 = 127;
        let size = ffi::Py_ssize_t::try_from(length).map_err(|_| PyMemoryError::new_err(()))?;
        // SAFETY: the call makes a compact string of `length` one-byte characters that nobody else has seen; all of them are written,
        // with bytes that the host says are ASCII, before the string is handed out.
        unsafe {
            let text = ffi::PyUnicode_New(size, LAST_ASCII);
            let text = Bound::from_owned_ptr_or_err(py, text)?;
            let data = ffi::PyUnicode_DATA(text.as_ptr()).cast::<u8>();
            host::take(std::slice::from_raw_parts_mut(data, length));
            Ok(text.cast_into_unchecked())
        }
    }

    fn room(length: usize) -> PyResult<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(length)
            .map_err(|_| PyMemoryError::new_err(()))?;
        Ok(bytes)
    }
}
