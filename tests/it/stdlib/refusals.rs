//! What cannot work in the sandbox says so in one sentence, with the way that is open.

use hermes_tests::{Case, Session, every_row};

const PROCESSES: &str = "OSError: processes are not available in the sandbox; use terminal() from hermes_tools if it is enabled";
const PARALLEL: &str = "OSError: processes are not available in the sandbox; use ThreadPoolExecutor or a plain loop (both run one thing after another here)";
const NETWORK: &str = "the network is not available in the sandbox; use web_extract() or web_search() from hermes_tools, or terminal(), if enabled";
const SIGNALS: &str =
    "OSError: timer signals are not available in the sandbox; the runtime's own time limit holds";

async fn raise(codes: &[&str], last_line: &str) {
    every_row(codes, async |code| {
        Case::new(*code).run().await.raises(last_line);
    })
    .await;
}

#[tokio::test]
async fn processes_are_refused_and_terminal_is_named() {
    let codes = [
        "import subprocess; subprocess.run(['echo', 'x'])",
        "import subprocess; subprocess.run('echo x', shell=True, capture_output=True, text=True)",
        "import subprocess; subprocess.check_output(['ls'])",
        "import subprocess; subprocess.check_call(['ls'])",
        "import subprocess; subprocess.call(['ls'])",
        "import subprocess; subprocess.getoutput('ls')",
        "import subprocess; subprocess.Popen(['ls'], stdout=subprocess.PIPE)",
        "import os; os.system('ls')",
        "import os; os.popen('ls').read()",
        "import os; os.fork()",
        "import os; os.execv('/bin/ls', ['ls'])",
        "import os; os.execvp('ls', ['ls'])",
        "import os; os.spawnl(os.P_WAIT if hasattr(os, 'P_WAIT') else 0, '/bin/ls', 'ls')",
        "import os; os.posix_spawn('/bin/ls', ['ls'], {})",
        "import asyncio; asyncio.run(asyncio.create_subprocess_shell('ls'))",
        "import asyncio; asyncio.run(asyncio.create_subprocess_exec('ls'))",
    ];
    raise(&codes, PROCESSES).await;
}

#[tokio::test]
async fn worker_processes_are_refused_and_threads_are_named() {
    let codes = [
        "import multiprocessing; multiprocessing.Pool(2)",
        "from multiprocessing import Pool\nwith Pool() as pool: pool.map(abs, [1])",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
        "import multiprocessing; multiprocessing.Queue()",
        "import multiprocessing; multiprocessing.Manager()",
        "import multiprocessing; multiprocessing.get_context('spawn').Pool()",
        "from concurrent.futures import ProcessPoolExecutor\nwith ProcessPoolExecutor() as pool: list(pool.map(abs, [1]))",
    ];
    raise(&codes, PARALLEL).await;
}

#[tokio::test]
async fn the_network_is_refused_and_the_web_tools_are_named() {
    let codes = [
        "import socket; socket.socket()",
        "import socket; socket.create_connection(('example.org', 80))",
        "import socket; socket.create_server(('', 80))",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import socket; socket.gethostbyname('example.org')",
        "import socket; socket.socketpair()",
        "import http.client; http.client.HTTPConnection('example.org').request('GET', '/')",
        "import asyncio; asyncio.run(asyncio.open_connection('example.org', 80))",
        "import smtplib; smtplib.SMTP('example.org')",
        "import ftplib; ftplib.FTP('example.org')",
        "import socketserver; socketserver.TCPServer(('', 80), None)",
    ];
    raise(&codes, &format!("OSError: {NETWORK}")).await;
    let codes = [
        "import urllib.request; urllib.request.urlopen('https://example.org')",
        "import urllib.request; urllib.request.urlopen(urllib.request.Request('http://example.org'), timeout=5)",
        "import urllib.request; urllib.request.urlretrieve('http://example.org', 'x')",
        "import urllib.request; urllib.request.urlopen('ftp://example.org/x')",
    ];
    raise(
        &codes,
        &format!("urllib.error.URLError: <urlopen error {NETWORK}>"),
    )
    .await;
}

#[tokio::test]
async fn local_addresses_still_open() {
    Case::new(
        "import urllib.request\nprint(urllib.request.urlopen('data:text/plain,hello').read())",
    )
    .run()
    .await
    .succeeds()
    .output("b'hello'\n");
}

#[tokio::test]
async fn timer_signals_are_refused() {
    raise(
        &[
            "import signal; signal.alarm(1)",
            "import signal; signal.setitimer(0, 1)",
        ],
        SIGNALS,
    )
    .await;
}

#[tokio::test]
async fn a_refused_call_leaves_nothing_on_stderr_and_the_session_well() {
    let session = Session::fresh();
    session
        .run("import gc, subprocess, socket\nfor call in (lambda: subprocess.run(['ls']), socket.socket):\n    try: call()\n    except OSError: print('refused')\ngc.collect()")
        .await
        .succeeds()
        .output("refused\nrefused\n");
    session.is_healthy().await;
}

#[tokio::test]
async fn a_deadlock_is_named_instead_of_waiting_for_ever() {
    const DEADLOCK: &str = "RuntimeError: deadlock: this waits for something that no other thread is left to do (in the sandbox threads run one after \
                            another; a thread that waits for more work while the others have finished is ended)";
    raise(
        &[
            "import queue; queue.Queue().get()",
            "import threading; threading.Event().wait()",
            "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
            "import threading; threading.Barrier(2).wait()",
            "from concurrent.futures import Future; Future().result()",
            "import asyncio\nasyncio.run(asyncio.Event().wait())",
        ],
        DEADLOCK,
    )
    .await;
}
