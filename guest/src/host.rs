//! The functions that the host provides under the module name `hermes`, behind safe wrappers.
//!
//! The host never calls back into the guest and never chooses an address: whatever it has to hand over (a cell's source, a tool's answer)
//! waits on its side until the guest has made room for it and takes it.
#![expect(
    unsafe_code,
    reason = "imported functions are foreign by nature; every pointer below comes from a live slice"
)]

/// Where a piece of output belongs.
#[derive(Clone, Copy)]
pub(crate) enum Stream {
    Stdout = 1,
    Stderr = 2,
    Traceback = 3,
}

mod import {
    #[link(wasm_import_module = "hermes")]
    unsafe extern "C" {
        pub(super) fn output(stream: u32, bytes: *const u8, length: usize);
        pub(super) fn call(
            name: *const u8,
            name_length: usize,
            arguments: *const u8,
            arguments_length: usize,
        ) -> usize;
        pub(super) fn tools() -> usize;
        pub(super) fn take(into: *mut u8, length: usize);
    }
}

/// Hands output to the host, which caps what it keeps.
pub(crate) fn output(stream: Stream, bytes: &[u8]) {
    // SAFETY: the slice is live for the call and the host only reads it.
    unsafe { import::output(stream as u32, bytes.as_ptr(), bytes.len()) }
}

/// A text that waits on the host's side.
#[derive(Clone, Copy)]
pub(crate) struct Waiting {
    /// Its length in bytes.
    pub(crate) length: usize,
    /// Whether every byte is a character of ASCII.
    pub(crate) is_ascii: bool,
}

impl Waiting {
    /// Set in an announced length when the text is ASCII.
    const ASCII: usize = 1 << 31;

    fn announced(length: usize) -> Self {
        Self {
            length: length & !Self::ASCII,
            is_ascii: length & Self::ASCII != 0,
        }
    }
}

/// Calls a host tool; the answer waits to be [taken](take).
pub(crate) fn call(name: &str, arguments: &str) -> Waiting {
    // SAFETY: both slices are live for the call and the host only reads them.
    let length = unsafe {
        import::call(
            name.as_ptr(),
            name.len(),
            arguments.as_ptr(),
            arguments.len(),
        )
    };
    Waiting::announced(length)
}

/// Asks for the description of the enabled tools, which then waits to be [taken](take).
pub(crate) fn tools() -> Waiting {
    // SAFETY: the function takes nothing.
    Waiting::announced(unsafe { import::tools() })
}

/// Copies what waits on the host's side; `into` must have exactly the announced length, else the host traps.
pub(crate) fn take(into: &mut [u8]) {
    // SAFETY: the slice is live and exclusively ours; the host writes at most `into.len()` bytes.
    unsafe { import::take(into.as_mut_ptr(), into.len()) }
}
