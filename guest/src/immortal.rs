//! Makes every object of the snapshot immortal, so that a sandbox which only looks at them does not write to their pages.
//!
//! Counting a reference writes to the object. In a fresh sandbox each first write to a page of the snapshot copies that page, which is
//! most of what a fresh sandbox costs. CPython does not count references to immortal objects, and nothing of the snapshot is ever freed
//! anyway.
#![expect(
    unsafe_code,
    reason = "reference counts and the traversal of objects are C interfaces"
)]

use std::ffi::{c_int, c_void};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The count of an immortal object on a machine of 32-bit words.
const IMMORTAL: ffi::Py_ssize_t = 0x3fff_ffff;

/// The parts of a code object, which the garbage collector does not know.
const CODE_PARTS: [&str; 7] = [
    "co_consts",
    "co_names",
    "co_exceptiontable",
    "co_linetable",
    "co_filename",
    "co_name",
    "co_qualname",
];

/// Makes the objects and all that they refer to immortal; returns how many were not before.
pub(crate) fn immortalise(objects: &Bound<'_, PyList>) -> PyResult<usize> {
    let py = objects.py();
    let mut found = Found::default();
    for object in objects {
        found.mark(object.as_ptr());
        found.traverse(object.as_ptr());
    }
    while let Some(object) = found.rest.pop() {
        found.traverse(object);
        // SAFETY: the object is alive: it is reachable from the list and nothing is freed meanwhile.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        // SAFETY: as above; the check reads the object's type only.
        if unsafe { ffi::PyCode_Check(object.as_ptr()) } != 0 {
            for part in CODE_PARTS {
                found.visit(object.getattr(part)?.as_ptr());
            }
        }
    }
    Ok(found.count)
}

/// The objects that were reached.
#[derive(Default)]
struct Found {
    /// Those whose own references have yet to be followed.
    rest: Vec<*mut ffi::PyObject>,
    count: usize,
}

impl Found {
    /// Marks an object and remembers to follow its references, unless that was done before.
    fn visit(&mut self, object: *mut ffi::PyObject) {
        if self.mark(object) {
            self.rest.push(object);
        }
    }

    fn mark(&mut self, object: *mut ffi::PyObject) -> bool {
        // SAFETY: the object is alive, and the guest has one thread.
        unsafe {
            if ffi::Py_REFCNT(object) == IMMORTAL {
                return false;
            }
            (*object).ob_refcnt = ffi::PyObjectObRefcnt {
                ob_refcnt: IMMORTAL,
            };
        }
        self.count += 1;
        true
    }

    /// Visits what an object refers to, as far as the garbage collector knows.
    fn traverse(&mut self, object: *mut ffi::PyObject) {
        // SAFETY: the object is alive; a type that takes part in garbage collection has a `tp_traverse` that calls the visitor with
        // live objects and the argument that is passed through, which outlives the call.
        unsafe {
            if ffi::PyObject_IS_GC(object) == 0 {
                return;
            }
            if let Some(traverse) = (*ffi::Py_TYPE(object)).tp_traverse {
                traverse(object, visit, std::ptr::from_mut(self).cast());
            }
        }
    }
}

extern "C" fn visit(object: *mut ffi::PyObject, found: *mut c_void) -> c_int {
    // SAFETY: the argument is the `Found` that `traverse` passed, and no other reference to it is in use during the traversal.
    unsafe { (*found.cast::<Found>()).visit(object) };
    0
}
