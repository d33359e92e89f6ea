//! Nothing of the host is visible: no file, variable, user, process, address or path.

use hermes_tests::{Case, Session, every_row, workspace};

#[tokio::test]
async fn no_file_of_the_host_can_be_opened() {
    let own = workspace().join("Cargo.toml");
    let places = [
        own.to_str().unwrap(),
        "/etc/passwd",
        "/etc/hostname",
        "/proc/self/environ",
        "/proc/1/cmdline",
        "/dev/mem",
        "/sys/kernel",
        "/root/.bashrc",
        "/usr/bin/env",
    ];
    every_row(places, async |path| {
        Case::new(format!("open({path:?})"))
            .run()
            .await
            .raises(&format!(
                "FileNotFoundError: [Errno 44] No such file or directory: '{path}'"
            ));
    })
    .await;
}

#[tokio::test]
async fn the_root_holds_only_what_is_the_sandboxs_own() {
    Case::new("import os; print(sorted(os.listdir('/')), os.listdir('/dev'), os.listdir('/tmp'), os.getcwd(), os.listdir('.'))")
        .run()
        .await
        .succeeds()
        .output("['dev', 'lib', 'scratch', 'tmp'] ['null'] [] /scratch []\n");
}

#[tokio::test]
async fn the_environment_of_the_host_is_not_visible() {
    assert!(std::env::var_os("PATH").is_some());
    Case::new("import os; print(dict(os.environ))")
        .run()
        .await
        .succeeds()
        .output("{'HOME': '/scratch', 'LANG': 'C.UTF-8', 'LOGNAME': 'sandbox', 'TMPDIR': '/tmp', 'USER': 'sandbox'}\n");
}

#[tokio::test]
async fn ways_out_of_the_root_lead_back_to_it() {
    every_row(["../../../../etc/passwd", "/tmp/../etc/passwd", "/scratch/../../etc/passwd", "//etc/passwd", "/./etc/passwd", "/tmp/link/etc/passwd"], async |path| {
        let code = format!("import os\ntry: os.symlink('/', '/tmp/link')\nexcept OSError: pass\ntry: open({path:?})\nexcept OSError as error: print(type(error).__name__)");
        Case::new(code).run().await.succeeds().output("FileNotFoundError\n");
    })
    .await;
}

#[tokio::test]
async fn a_script_writes_in_its_directory_and_in_tmp() {
    Case::new(
        "import os, pathlib\nfor place in ('.', '/tmp', '/scratch', 'sub/deeper'):\n    os.makedirs(place, exist_ok=True)\n    \
         path = pathlib.Path(place, 'file')\n    path.write_text('x')\n    path.rename(path.with_name('renamed'))\n    \
         print(path.with_name('renamed').read_text(), end=' ')\nprint(sorted(os.listdir()))",
    )
    .run()
    .await
    .succeeds()
    .output("x x x x ['renamed', 'sub']\n");
}

#[tokio::test]
async fn a_script_writes_nowhere_else() {
    every_row([
        "open('/file', 'w')",
        "open('/etc/file', 'w')",
        "open('/lib/file', 'w')",
        "os.mkdir('/new')",
        "os.mkdir('/lib/new')",
        "os.rename('/tmp', '/other')",
        "os.rmdir('/tmp')",
        "os.remove('/lib/python313.zip')",
        "open('/lib/python313.zip', 'r+b')",
        "os.truncate('/lib/python313.zip', 0)",
        "os.symlink('/tmp', '/link')",
        "os.link('/tmp/own', '/link')",
        "os.rename('/tmp/own', '/own')",
        "os.rename('/tmp/own', '/lib/own')",
        "os.utime('/lib/python313.zip', (0, 0))",
    ], async |action| {
        let code = format!(
            "import os\nopen('/tmp/own', 'w').close()\ntry:\n    {action}\nexcept OSError as error:\n    print('refused')\nprint(sorted(os.listdir('/')), os.listdir('/lib'))"
        );
        Case::new(code).run().await.succeeds().output("refused\n['dev', 'lib', 'scratch', 'tmp'] ['python313.zip']\n");
    })
    .await;
}

#[tokio::test]
async fn what_a_script_writes_is_on_no_disk_of_the_host() {
    let marker = "tests-of-isolation-marker-file";
    Case::new(format!(
        "open('/tmp/{marker}', 'w').write('x')\nopen('{marker}', 'w').write('x')"
    ))
    .run()
    .await
    .succeeds();
    assert!(!std::path::Path::new("/tmp").join(marker).exists());
    assert!(!std::env::current_dir().unwrap().join(marker).exists());
}

#[tokio::test]
async fn nothing_tells_about_the_machine() {
    Case::new(
        "import os, platform, getpass, sys\nprint(platform.uname())\n\
         print(os.cpu_count(), repr(sys.executable), sys.flags.isolated, sys.prefix, getpass.getuser(), os.path.expanduser('~'))",
    )
    .run()
    .await
    .succeeds()
    .output("uname_result(system='wasi', node='(none)', release='0.0.0', version='0.0.0', machine='wasm32')\n1 '' 1 / sandbox /scratch\n");
}

#[tokio::test]
async fn symbolic_links_stay_inside() {
    let session = Session::fresh();
    session
        .run("import os\nos.symlink('/etc', 'way')\nprint(os.path.exists('way/passwd'), os.readlink('way'), os.path.realpath('way/passwd'))")
        .await
        .succeeds()
        .output("False /etc /etc/passwd\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn descriptors_beyond_the_standard_ones_are_not_open() {
    Case::new("import os\nopen_ones = []\nfor fd in range(3, 64):\n    try:\n        os.fstat(fd)\n        open_ones.append(fd)\n    except OSError: pass\nprint(len(open_ones) <= 1, [fd for fd in open_ones if fd > 3])")
        .run()
        .await
        .succeeds()
        .output("True []\n");
}

#[tokio::test]
async fn the_way_to_the_host_is_not_a_module_for_scripts_to_misuse() {
    // The inner module answers what the public one does; nothing more can be had from it.
    let session = Session::fresh();
    session
        .run("import _hermes\nprint(_hermes.call('terminal', '{}'))\nprint(_hermes.call('read_file', ''))")
        .await
        .succeeds()
        .output(
            "{\"error\":\"Tool 'terminal' is not available in execute_code. Available: patch, read_file, search_files, web_extract, web_search, write_file\"}\n\
             {\"error\":\"Invalid RPC request: Expecting value (line 1, column 1)\"}\n",
        );
    session.is_healthy().await;
}
