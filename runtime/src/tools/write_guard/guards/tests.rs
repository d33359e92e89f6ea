//! Every guard with what it refuses and what it lets pass, by the path and by where links lead, and their order.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::*;
use crate::fs::{Access, Grants, Scope};
use crate::guard::{Approval, ApprovalRequest, ApprovalSubject, Approvals, Approver, GuardOptions};
use crate::tools::granted::Granted;

mod names;

/// Answers always the same, and keeps what it was asked.
#[derive(Debug)]
struct Human(Approval, Mutex<Vec<ApprovalRequest>>);

#[async_trait]
impl Approver for Human {
    async fn decide(&self, request: &ApprovalRequest) -> Approval {
        self.1.lock().unwrap().push(request.clone());
        self.0
    }
}

fn human(answer: Approval) -> (Arc<Human>, ToolContext) {
    let human = Arc::new(Human(answer, Mutex::default()));
    let approvals = Approvals::new(
        Some(Arc::clone(&human) as Arc<dyn Approver>),
        &GuardOptions::default(),
    );
    let context = ToolContext::new("s").with_approvals(Arc::new(approvals));
    (human, context)
}

/// A granted directory with the homes `home` and `home/.hermes` in it.
struct Room {
    granted: Granted,
    guards: WriteGuards,
}

impl Room {
    fn new() -> Self {
        let granted = Granted::new();
        fs::create_dir_all(granted.path("home/.hermes")).unwrap();
        let homes = Homes::of(
            Some(granted.path("home")),
            Some(granted.path("home/.hermes")),
        );
        Self {
            guards: WriteGuards::of(homes.clone(), WriteDenials::of(homes)),
            granted,
        }
    }

    fn target(&self, path: &str) -> Target {
        let place = self.granted.context.grants().place(path, Access::Write);
        Target::of(&place.unwrap()).unwrap()
    }

    async fn check(
        &self,
        path: &str,
        text: &str,
        context: &ToolContext,
    ) -> Result<(), WriteRefusal> {
        let target = self.target(path);
        self.guards.check(&[&target], Some(text), context).await
    }

    async fn refusal(&self, path: &str) -> Option<WriteRefusal> {
        self.check(path, "text", &self.granted.context).await.err()
    }
}

fn guarded(message: &str) -> WriteRefusal {
    WriteRefusal::Guarded(message.to_owned())
}

#[tokio::test]
async fn system_files_are_refused_wherever_the_grant_begins() {
    let workdir = Arc::new(Scope::open("/tmp").unwrap());
    let grants = Grants::whole_host(workdir).unwrap();
    let guards = WriteGuards::of(Homes::default(), WriteDenials::default());
    let context = ToolContext::new("s");
    for path in [
        "/etc/hosts",
        "/tmp/../etc/new/x",
        "/boot/x",
        "/usr/lib/systemd/x",
        "/run/docker.sock",
    ] {
        let target = Target::of(&grants.place(path, Access::Write).unwrap()).unwrap();
        let message = format!(
            "Refusing to write to sensitive system path: {path}\nUse the terminal tool with sudo if you need to modify system files."
        );
        let refusal = guards.check(&[&target], None, &context).await.err();
        assert_eq!(refusal, Some(guarded(&message)));
    }
    let target = Target::of(&grants.place("/tmp/etc/x", Access::Write).unwrap()).unwrap();
    assert_eq!(guards.check(&[&target], None, &context).await, Ok(()));
}

#[tokio::test]
async fn a_link_to_a_system_file_is_refused_on_the_whole_host() {
    let place = tempfile::tempdir().unwrap();
    symlink("/etc/hosts", place.path().join("hosts")).unwrap();
    let workdir = Arc::new(Scope::open(place.path()).unwrap());
    let grants = Grants::whole_host(workdir).unwrap();
    let guards = WriteGuards::of(Homes::default(), WriteDenials::default());
    let target = Target::of(&grants.place("hosts", Access::Write).unwrap()).unwrap();
    let message = "Refusing to write to sensitive system path: hosts\nUse the terminal tool with sudo if you need to modify system files.";
    let refusal = guards.check(&[&target], None, &ToolContext::new("s")).await;
    assert_eq!(refusal.err(), Some(guarded(message)));
}

#[tokio::test]
async fn the_configuration_of_hermes_is_refused_by_its_name_and_through_links() {
    let room = Room::new();
    symlink("home/.hermes", room.granted.path("link")).unwrap();
    for path in [
        "home/.hermes/config.yaml",
        "link/config.yaml",
        "home/x/../.hermes/config.yaml",
        "home/.hermes/config.yaml/below/it",
        "home/.hermes/profiles/new/config.yaml",
        "link/profiles/new/config.yaml",
    ] {
        let message = format!(
            "Refusing to write to Hermes config file: {path}\nAgent cannot modify security-sensitive configuration. Edit ~/.hermes/config.yaml directly or use 'hermes config' instead."
        );
        assert_eq!(room.refusal(path).await, Some(guarded(&message)));
    }
    assert_eq!(room.refusal("config.yaml").await, None);
}

#[tokio::test]
async fn documents_and_existing_binary_files_are_not_overwritten_with_text() {
    let room = Room::new();
    for name in ["old.pdf", "x.png", "x.db-wal", "real.db"] {
        room.granted.put(name, b"%\x00\xff");
    }
    room.granted.put("text.bin", "only text ü");
    room.granted.put("empty.png", "");
    symlink("x.png", room.granted.path("link")).unwrap();
    let rows = [
        (
            "new.DOCX",
            Some("Refusing to write plain text to binary document 'new.DOCX'."),
        ),
        (
            "old.pdf",
            Some("Refusing to overwrite existing PDF 'old.pdf' with plain text."),
        ),
        (
            "x.png",
            Some("Refusing to overwrite existing binary file 'x.png'."),
        ),
        (
            "link",
            Some("Refusing to overwrite existing binary file 'link'."),
        ),
        (
            "x.db-wal",
            Some("Refusing to overwrite existing binary file 'x.db-wal'."),
        ),
        (
            "real.db-journal",
            Some("Refusing to overwrite existing binary file 'real.db-journal'."),
        ),
        ("new.pdf", None),
        ("new.png", None),
        ("text.bin", None),
        ("empty.png", None),
        ("none.db-wal", None),
        ("notes-wal", None),
        ("docx", None),
    ];
    for (path, expected) in rows {
        match (room.refusal(path).await, expected) {
            (Some(WriteRefusal::Guarded(message)), Some(start)) => {
                assert!(message.starts_with(start), "{path}: {message}");
            }
            (refusal, expected) => assert_eq!(refusal.map(|_| ""), expected, "{path}"),
        }
    }
}

#[tokio::test]
async fn instruction_files_need_a_human_and_nobody_to_ask_is_a_no() {
    let room = Room::new();
    room.granted.put("docs/guide", "");
    symlink("docs/guide", room.granted.path("CLAUDE.md")).unwrap();
    symlink("AGENTS.md", room.granted.path("plain.txt")).unwrap();
    room.granted.put("AGENTS.md", "");
    let end = "needs the user's approval, and this runtime has nobody to ask. The user has NOT consented to this write. Do NOT retry it, and do NOT attempt the same outcome via a different path or tool.";
    for path in [
        "AGENTS.md",
        "a/agents.md",
        "CLAUDE.md",
        "plain.txt",
        "SOUL.md",
        ".cursorrules",
        "p/.hermes/rules",
    ] {
        let message =
            format!("BLOCKED: write to protected agent-instruction file(s) ({path}) {end}");
        assert_eq!(room.refusal(path).await, Some(guarded(&message)));
    }
    for path in ["AGENTS.md.txt", "p/.hermes/deep/x", "home/.hermes/notes"] {
        assert_eq!(room.refusal(path).await, None, "{path}");
    }
}

#[tokio::test]
async fn the_users_answer_decides_and_holds_for_the_same_files_only() {
    let room = Room::new();
    for (answer, why) in [
        (Approval::Denied, "was denied by the user."),
        (
            Approval::TimedOut,
            "was not answered in time, and silence is not consent.",
        ),
        (Approval::Undelivered, "could not be put to the user."),
    ] {
        let (_, context) = human(answer);
        let refusal = room
            .check("AGENTS.md", "x", &context)
            .await
            .unwrap_err()
            .to_string();
        let start = format!(
            "BLOCKED: write to protected agent-instruction file(s) (AGENTS.md) {why} The user has NOT consented to this write. "
        );
        assert!(refusal.starts_with(&start), "{refusal}");
    }
    let (human, context) = human(Approval::Session);
    for path in ["AGENTS.md", "AGENTS.md", "SOUL.md"] {
        assert_eq!(room.check(path, "x", &context).await, Ok(()));
    }
    let asked = human.1.lock().unwrap();
    let texts: Vec<_> = asked.iter().map(|request| request.text.clone()).collect();
    assert_eq!(
        texts,
        [
            room.granted.shown("AGENTS.md"),
            room.granted.shown("SOUL.md")
        ]
    );
    assert!(
        asked
            .iter()
            .all(|request| request.subject == ApprovalSubject::Files)
    );
}

#[tokio::test]
async fn several_files_are_asked_about_at_once() {
    let room = Room::new();
    let (human, context) = human(Approval::Once);
    let targets = ["AGENTS.md", "x.txt", "SOUL.md"].map(|path| room.target(path));
    let targets = targets.each_ref();
    assert_eq!(room.guards.check(&targets, None, &context).await, Ok(()));
    let asked = human.1.lock().unwrap();
    let [request] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let (agents, soul) = (
        room.granted.shown("AGENTS.md"),
        room.granted.shown("SOUL.md"),
    );
    assert_eq!(request.text, format!("{agents}, {soul}"));
}

#[tokio::test]
async fn instruction_files_are_free_where_the_host_says_so() {
    let mut room = Room::new();
    room.guards.instructions = None;
    assert_eq!(room.refusal("AGENTS.md").await, None);
    let message = room.refusal("home/.ssh/config").await.unwrap().to_string();
    assert!(
        message.starts_with(
            "BLOCKED: write to the SSH client configuration (home/.ssh/config) needs "
        ),
        "{message}"
    );
}

#[tokio::test]
async fn the_guards_answer_in_the_order_of_the_contract() {
    let room = Room::new();
    let numbered = "1|a\n2|b\n";
    let context = &room.granted.context;
    let start = |refusal: Result<(), WriteRefusal>| {
        refusal
            .unwrap_err()
            .to_string()
            .chars()
            .take(24)
            .collect::<String>()
    };
    room.granted.put("home/.netrc", "");
    let rows = [
        ("home/.hermes/config.yaml", "Refusing to write to Her"),
        ("home/.ssh/x.docx", "Refusing to write plain "),
        ("home/.ssh/AGENTS.md", "BLOCKED: write to protec"),
        ("home/.netrc", "Refusing to write intern"),
    ];
    for (path, expected) in rows {
        assert_eq!(
            start(room.check(path, numbered, context).await),
            expected,
            "{path}"
        );
    }
    let denied = "Write denied: 'home/.netrc' is a protected system/credential file.";
    let refusal = room.refusal("home/.netrc").await;
    assert_eq!(refusal, Some(WriteRefusal::Denied(denied.to_owned())));
}

#[tokio::test]
async fn keys_are_denied_through_links_to_their_directory_too() {
    let room = Room::new();
    fs::create_dir_all(room.granted.path("home/.ssh")).unwrap();
    symlink("home/.ssh", room.granted.path("keys")).unwrap();
    let denied = "Write denied: 'keys/new/id' is a protected system/credential file.";
    let refusal = room.refusal("keys/new/id").await;
    assert_eq!(refusal, Some(WriteRefusal::Denied(denied.to_owned())));
    assert!(!Path::new(&room.granted.path("home/.ssh/new")).exists());
}

#[tokio::test]
async fn a_link_on_the_way_to_what_is_protected_is_denied_by_the_path_of_the_link_itself() {
    let room = Room::new();
    fs::create_dir_all(room.granted.path("dot/v1")).unwrap();
    symlink("v1", room.granted.path("dot/current")).unwrap();
    symlink("dot", room.granted.path("alias")).unwrap();
    symlink("../dot/current/ssh", room.granted.path("home/.ssh")).unwrap();
    let homes = Homes::of(Some(room.granted.path("home")), None).with_links();
    let guards = WriteGuards::of(homes.clone(), WriteDenials::of(homes));
    let room = Room { guards, ..room };
    for path in [
        "dot/current",
        "alias/current",
        "dot/current/ssh/id",
        "alias/v1/ssh",
    ] {
        let denied = format!("Write denied: '{path}' is a protected system/credential file.");
        assert_eq!(room.refusal(path).await, Some(WriteRefusal::Denied(denied)));
    }
    for path in ["alias", "dot/v2", "dot/current/x"] {
        assert_eq!(room.refusal(path).await, None, "{path}");
    }
}

#[tokio::test]
async fn the_ssh_configuration_needs_a_human_wherever_below_the_home_it_is_kept() {
    for (link, to, kept) in [
        (".ssh", "dotfiles/ssh", "ssh/config"),
        (".ssh/config", "../dotfiles/sshconfig", "sshconfig"),
    ] {
        let room = Room::new();
        let home = room.granted.path("home");
        fs::create_dir_all(home.join("dotfiles/ssh")).unwrap();
        fs::create_dir_all(home.join(link).parent().unwrap()).unwrap();
        symlink(to, home.join(link)).unwrap();
        fs::write(home.join("dotfiles").join(kept), "").unwrap();
        let homes = Homes::of(Some(home.clone()), None).with_links();
        let guards = WriteGuards::of(homes.clone(), WriteDenials::of(homes));
        for workdir in [home.clone(), home.join("dotfiles")] {
            let scope = Arc::new(Scope::open(&workdir).unwrap());
            let host = Grants::whole_host(Arc::clone(&scope)).unwrap();
            let kept = home.join("dotfiles").join(kept);
            let path = kept.strip_prefix(&workdir).unwrap().to_str().unwrap();
            for grants in [Grants::of(scope), host] {
                let target = Target::of(&grants.place(path, Access::Write).unwrap()).unwrap();
                let context = &room.granted.context;
                let refusal = guards.check(&[&target], None, context).await.unwrap_err();
                let start =
                    format!("BLOCKED: write to the SSH client configuration ({path}) needs ");
                assert!(refusal.to_string().starts_with(&start), "{refusal}");
            }
        }
    }
}

#[tokio::test]
async fn a_link_outside_of_the_safe_roots_is_outside_though_its_file_is_not() {
    let room = Room::new();
    room.granted.put("safe/f", "");
    symlink("safe/f", room.granted.path("lnk")).unwrap();
    symlink("safe", room.granted.path("way")).unwrap();
    symlink("f", room.granted.path("safe/inner")).unwrap();
    let denials = WriteDenials::default().with_safe_roots([room.granted.path("safe")]);
    let guards = WriteGuards::of(Homes::default(), denials);
    let scope = Arc::new(Scope::open(room.granted.path("")).unwrap());
    let host = Grants::whole_host(Arc::clone(&scope)).unwrap();
    for grants in [Grants::of(scope), host] {
        for (path, is_denied) in [
            ("safe/f", false),
            ("way/f", false),
            ("safe/inner", false),
            ("way/inner", false),
            ("lnk", true),
            ("x", true),
        ] {
            let target = Target::of(&grants.place(path, Access::Write).unwrap()).unwrap();
            let refusal = guards.check(&[&target], None, &room.granted.context).await;
            assert_eq!(refusal.is_err(), is_denied, "{path}");
        }
    }
}
