//! Links the guest with libpython and the C libraries that `python-wasm` built.
//!
//! Everything comes from environment variables that `python-wasm` sets; for any other target than WASI there is nothing to link.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs, process::Command};

/// Stack of the guest's C code, in bytes of linear memory. The native stack that the host grants runs out first, which is a Python exception.
const STACK_BYTES: u32 = 8 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS")? != "wasi" {
        return Ok(());
    }
    let python = input("HERMES_PYTHON_BUILD")?;
    let emulation = input("HERMES_WASI_LIBS")?;
    let libraries = input("HERMES_CLIBS")?;
    println!(
        "cargo:rerun-if-changed={}",
        python.join("libpython3.13.a").display()
    );

    for folder in [
        "",
        "Modules/_hacl",
        "Modules/expat",
        "Modules/_decimal/libmpdec",
    ] {
        search(&python.join(folder));
    }
    search(&libraries);
    for library in [
        "Hacl_Hash_SHA2",
        "expat",
        "mpdec",
        "z",
        "bz2",
        "lzma",
        "sqlite3",
    ] {
        println!("cargo:rustc-link-lib=static={library}");
    }
    link_emulation(&emulation)?;
    link_as_reactor()
}

fn input(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed={name}");
    let value = env::var_os(name).ok_or_else(|| format!("`{name}` is not set; hint: build the guest with `cargo run --release --bin python-wasm -- build`"))?;
    Ok(PathBuf::from(value))
}

fn search(folder: &Path) {
    println!("cargo:rustc-link-search=native={}", folder.display());
}

/// Takes only the emulation libraries from the sysroot: libc itself is the one that Rust's target brings.
fn link_emulation(sysroot_libraries: &Path) -> Result<(), Box<dyn Error>> {
    let only = PathBuf::from(env::var("OUT_DIR")?).join("emulation");
    fs::create_dir_all(&only)?;
    for library in [
        "wasi-emulated-signal",
        "wasi-emulated-getpid",
        "wasi-emulated-process-clocks",
        "dl",
    ] {
        let file = format!("lib{library}.a");
        fs::copy(sysroot_libraries.join(&file), only.join(&file))?;
        println!("cargo:rustc-link-lib=static={library}");
    }
    search(&only);
    Ok(())
}

/// A `cdylib` would be linked as a command, whose exports each run constructors and destructors: the second call would trap.
fn link_as_reactor() -> Result<(), Box<dyn Error>> {
    let rustc = env::var("RUSTC")?;
    let sysroot = String::from_utf8(
        Command::new(rustc)
            .args(["--print", "sysroot"])
            .output()?
            .stdout,
    )?;
    let start = Path::new(sysroot.trim())
        .join("lib/rustlib/wasm32-wasip1/lib/self-contained/crt1-reactor.o");
    println!("cargo:rustc-link-arg={}", start.display());
    println!("cargo:rustc-link-arg=-zstack-size={STACK_BYTES}");
    for argument in [
        "--entry=_initialize",
        "--export=_initialize",
        "--stack-first",
        "--export=HERMES_STDOUT",
        "--export=HERMES_STDERR",
    ] {
        println!("cargo:rustc-link-arg={argument}");
    }
    Ok(())
}
