//! A running `hermes-exec serve --stdio`: lines in, answers by their id out.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::binary;
use crate::deadline::within_deadline;

/// A server that is ended with the test.
#[derive(Debug)]
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    /// Reads standard error meanwhile, so that a server with much to say is never held up by a full pipe.
    log: JoinHandle<String>,
    early: HashMap<String, Value>,
    next: u64,
    _home: TempDir,
}

impl Server {
    /// Starts a server with these options.
    pub fn start<const N: usize>(options: [&str; N]) -> Self {
        Self::launch(binary::command, &options)
    }

    /// Starts a server with these options by a program that is given the server's command, such as `env`.
    pub fn start_by(launcher: &[&str], options: &[&str]) -> Self {
        let command = |home: &Path| {
            let server = binary::command(home);
            binary::started_by(launcher, &server)
        };
        Self::launch(command, options)
    }

    fn launch(command: impl Fn(&Path) -> std::process::Command, options: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (mut stderr, writer) = std::io::pipe().unwrap();
        let mut command = Command::from(command(home.path()));
        let mut child = command
            .args(["serve", "--stdio"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(writer)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        // The command holds a writing end too; the log ends when the last one is closed.
        drop(command);
        let log = thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let stdin = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self {
            child,
            stdin,
            lines,
            log,
            early: HashMap::new(),
            next: 0,
            _home: home,
        }
    }

    /// Sends bytes as they are.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("the server's input is open");
        stdin.write_all(bytes.as_ref()).await.unwrap();
        stdin.flush().await.unwrap();
    }

    /// Sends bytes as one line.
    pub async fn send_line(&mut self, line: impl AsRef<[u8]>) {
        self.send(line).await;
        self.send(b"\n").await;
    }

    /// Sends a request and returns its id.
    pub async fn request(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.send_line(message.to_string()).await;
        self.next
    }

    /// Sends a notification, which has no answer.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.send_line(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
            .await;
    }

    /// Returns the whole answer to the id; other answers are kept until they are asked for.
    pub async fn answer(&mut self, id: impl Into<Value>) -> Value {
        let wanted = id.into().to_string();
        loop {
            if let Some(answer) = self.early.remove(&wanted) {
                return answer;
            }
            let answer = self
                .next_answer()
                .await
                .expect("the server answers before it ends");
            self.early.insert(answer["id"].to_string(), answer);
        }
    }

    /// Sends a request and returns the result in its answer.
    pub async fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params).await;
        let mut answer = self.answer(id).await;
        assert!(
            answer.get("error").is_none(),
            "{method} was answered with an error: {answer}"
        );
        answer["result"].take()
    }

    /// Interrupts the session's cell, asking again until there is one that runs.
    pub async fn interrupt(&mut self, params: Value) {
        let asking =
            async { while self.call("interrupt", params.clone()).await["interrupted"] != true {} };
        within_deadline("the start of the cell that is to be interrupted", asking).await;
    }

    /// Returns the next answer in the order of arrival, `None` at the end of the output. Each line must be one JSON-RPC object.
    pub async fn next_answer(&mut self) -> Option<Value> {
        let line = within_deadline("the server's next line", self.lines.next_line())
            .await
            .unwrap()?;
        let answer: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        assert_eq!(answer["jsonrpc"], "2.0", "not a JSON-RPC object: {line}");
        Some(answer)
    }

    /// Returns the largest resident size that the process has had, in KiB.
    pub fn peak_kib(&self) -> u64 {
        let pid = self.child.id().expect("the server runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Waits until the process has used this much more processor time, in ticks of 1/100 s: however slow the machine is, a script that
    /// runs has come so far.
    pub async fn works_for(&self, ticks: u64) {
        let pid = self.child.id().expect("the server runs");
        let used = || -> u64 {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            // The name of the program may hold anything; user and system time are the 12th and 13th field after it.
            let (_, fields) = stat.rsplit_once(") ").unwrap();
            let fields = fields.split(' ').skip(11).take(2);
            fields.map(|field| field.parse::<u64>().unwrap()).sum()
        };
        let enough = used() + ticks;
        let working = async {
            while used() < enough {
                tokio::task::yield_now().await;
            }
        };
        within_deadline("the server's work", working).await;
    }

    /// Sends it a signal, by name.
    pub async fn signal(&self, name: &str) {
        let pid = self.child.id().expect("the server runs").to_string();
        let status = Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status()
            .await
            .unwrap();
        assert!(status.success(), "kill -{name} failed");
    }

    /// Closes the server's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the server's end; returns its exit code and what it wrote to stderr.
    pub async fn end(mut self) -> (Option<i32>, String) {
        let log = self.log;
        within_deadline("the server", async {
            let status = self.child.wait().await.unwrap();
            let log = tokio::task::spawn_blocking(|| log.join().unwrap()).await;
            (status.code(), log.unwrap())
        })
        .await
    }
}
