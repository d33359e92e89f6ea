//! What a patch does with symbolic links, in a granted directory and on the whole host.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::fs::{Grants, Scope};
use crate::tools::granted;

/// Everything in the directory: what each file holds, and where each link leads.
fn tree(granted: &Granted) -> BTreeMap<PathBuf, String> {
    let entries = fs::read_dir(granted.path("")).unwrap();
    let described = entries.map(|entry| {
        let path = entry.unwrap().path();
        let text = match fs::read_link(&path) {
            Ok(target) => format!("-> {}", target.display()),
            Err(_) if path.is_dir() => "directory".to_owned(),
            Err(_) => fs::read_to_string(&path).unwrap(),
        };
        (path, text)
    });
    described.collect()
}

fn room() -> Granted {
    let granted = Granted::new();
    for name in ["c.txt", "k.txt", "z.txt"] {
        granted.put(name, format!("{name}\n"));
    }
    fs::create_dir(granted.path("d")).unwrap();
    for (link, target) in [
        ("A", "c.txt"),
        ("AA", "A"),
        ("K", "k.txt"),
        ("R", "d/../c.txt"),
        ("dangling", "none"),
    ] {
        symlink(target, granted.path(link)).unwrap();
    }
    granted
}

/// Returns the contexts in which both kinds of modes run.
fn contexts(granted: &Granted) -> [ToolContext; 2] {
    let workdir = Arc::new(Scope::open(granted.path("")).unwrap());
    let host = Grants::whole_host(workdir).unwrap();
    let host = ToolContext::new("s").with_grants(Arc::new(host));
    [granted.context.clone(), host]
}

async fn patched(text: &str, context: &ToolContext) -> Value {
    let arguments = json!({"mode": "patch", "patch": text});
    serde_json::from_str(&granted::reply(&tool(), arguments, context).await).unwrap()
}

#[tokio::test]
async fn a_patch_that_makes_a_moved_link_lead_elsewhere_is_refused() {
    let leads_elsewhere = |link: &str| {
        format!(
            "{link}: a symbolic link is moved only where it goes on to lead to the file that it leads to"
        )
    };
    let not_replaced = |link: &str| {
        format!("{link}: a symbolic link is not replaced; delete it in a patch of its own")
    };
    let through = |path: &str| {
        format!("{path}: '{path}' leads through a symbolic link that this patch deletes or moves")
    };
    let not_free = |link: &str| {
        format!("{link}: a symbolic link is moved only to a name that is free before the patch")
    };
    let rows = [
        ("Move File: A -> D|Move File: c.txt -> d.txt", leads_elsewhere("A")),
        ("Move File: c.txt -> d.txt|Move File: A -> D", leads_elsewhere("A")),
        ("Move File: R -> D|Move File: c.txt -> d.txt", leads_elsewhere("R")),
        ("Move File: K -> N|Delete File: k.txt", leads_elsewhere("K")),
        ("Delete File: k.txt|Move File: K -> N", leads_elsewhere("K")),
        ("Move File: A -> A9|Move File: AA -> AA9", leads_elsewhere("AA")),
        ("Move File: AA -> AA9|Move File: A -> A9", leads_elsewhere("AA")),
        ("Move File: AA -> AA9|Delete File: A", leads_elsewhere("AA")),
        ("Move File: AA -> AA9|Move File: c.txt -> d.txt", leads_elsewhere("AA")),
        ("Move File: A -> d/A", leads_elsewhere("A")),
        ("Move File: dangling -> D", leads_elsewhere("dangling")),
        ("Move File: K -> Q|Move File: k.txt -> r.txt|Add File: k.txt\n+new", leads_elsewhere("K")),
        ("Move File: K -> Q|Delete File: k.txt|Add File: k.txt\n+new", leads_elsewhere("K")),
        ("Move File: K -> Q|Delete File: k.txt|Move File: z.txt -> k.txt", leads_elsewhere("K")),
        ("Move File: A -> B|Update File: B\n-c.txt\n+new", "B: 'B' is a symbolic link that this patch moves".to_owned()),
        ("Move File: A -> B|Update File: A\n-c.txt\n+new", through("A")),
        ("Move File: A -> B|Update File: AA\n-c.txt\n+new", through("AA")),
        ("Delete File: A|Update File: A\n-c.txt\n+new", through("A")),
        ("Delete File: dangling|Add File: dangling\n+new", "dangling: could not confirm the path is free — 'dangling' leads through a symbolic link that this patch deletes or moves".to_owned()),
        ("Move File: A -> D|Move File: c.txt -> A", not_replaced("A")),
        ("Delete File: A|Move File: z.txt -> A", not_replaced("A")),
        ("Delete File: A|Update File: z.txt\n-z.txt\n+new|Move File: z.txt -> A", not_replaced("A")),
        ("Move File: A -> T|Move File: K -> A|Move File: T -> K", not_replaced("A")),
        ("Delete File: z.txt|Move File: A -> z.txt", not_free("A")),
        ("Move File: z.txt -> y.txt|Move File: A -> z.txt", not_free("A")),
    ];
    let granted = room();
    let before = tree(&granted);
    for (operations, fault) in rows {
        let patch = format!("*** {}", operations.replace('|', "\n*** "));
        for context in contexts(&granted) {
            let reply = patched(&patch, &context).await;
            let error = reply["error"]
                .as_str()
                .unwrap_or_else(|| panic!("{patch}: {reply}"));
            assert!(error.contains(&fault), "{patch}: {error}");
            assert_eq!(tree(&granted), before, "{patch}");
        }
    }
}

#[tokio::test]
async fn a_link_that_goes_on_to_lead_to_its_file_is_moved() {
    let update = "Update File: A\n-c.txt\n+new";
    for (operations, links, file) in [
        ("Move File: A -> D", &[("D", "c.txt")][..], "c.txt\n"),
        ("Move File: R -> D", &[("D", "d/../c.txt")], "c.txt\n"),
        (
            "Move File: AA -> D",
            &[("D", "A"), ("A", "c.txt")],
            "c.txt\n",
        ),
        (
            "Move File: A -> T|Move File: T -> A",
            &[("A", "c.txt")],
            "c.txt\n",
        ),
        (
            "Move File: A -> T|Move File: T -> D",
            &[("D", "c.txt")],
            "c.txt\n",
        ),
        (
            &format!("{update}|Move File: A -> D"),
            &[("D", "c.txt")],
            "new\n",
        ),
        (
            "Move File: A -> D|Update File: c.txt\n-c.txt\n+new",
            &[("D", "c.txt")],
            "new\n",
        ),
        (
            &format!("Move File: AA -> D|{update}"),
            &[("D", "A")],
            "new\n",
        ),
        (
            "Delete File: AA|Delete File: dangling|Move File: z.txt -> y.txt",
            &[("A", "c.txt")],
            "c.txt\n",
        ),
    ] {
        let patch = format!("*** {}", operations.replace('|', "\n*** "));
        for number in 0..2 {
            let granted = room();
            let reply = patched(&patch, &contexts(&granted)[number]).await;
            let error = reply.get("error");
            let is_unchanged = patch.ends_with("T -> A");
            assert!(
                error.is_none() && (reply["success"] == true || is_unchanged),
                "{patch}: {reply}"
            );
            for (link, target) in links {
                let found = fs::read_link(granted.path(link)).unwrap();
                assert_eq!(found, PathBuf::from(target), "{patch}");
            }
            assert_eq!(granted.get("c.txt"), file, "{patch}");
        }
    }
}

#[tokio::test]
async fn an_answer_names_the_link_that_was_deleted_or_moved_and_not_its_file() {
    for number in 0..2 {
        let granted = room();
        let context = &contexts(&granted)[number];
        let reply = patched("*** Delete File: K\n*** Move File: AA -> A9", context).await;
        let shown = |names: &[&str]| {
            json!(
                names
                    .iter()
                    .map(|name| granted.shown(name))
                    .collect::<Vec<_>>()
            )
        };
        assert_eq!(reply["files_modified"], shown(&["K", "AA", "A9"]));
        assert_eq!(reply["files_deleted"], shown(&["K"]));
    }
}

#[tokio::test]
async fn files_in_directories_whose_names_are_no_text_are_not_taken_for_each_other() {
    for number in 0..2 {
        let granted = Granted::new();
        for (link, name) in [("l1", &b"d\xff"[..]), ("l2", b"d\xfe")] {
            let directory = OsStr::from_bytes(name);
            fs::create_dir(granted.path("").join(directory)).unwrap();
            symlink(directory, granted.path(link)).unwrap();
            granted.put(&format!("{link}/f"), format!("{link}\n"));
        }
        let context = &contexts(&granted)[number];
        let patch = "*** Update File: l1/f\n-l1\n+new\n*** Delete File: l2/f";
        let reply = patched(patch, context).await;
        assert_eq!(reply["success"], true, "{reply}");
        assert_eq!(granted.get("l1/f"), "new\n");
        assert!(!granted.path("l2/f").exists());
    }
}

#[tokio::test]
async fn a_link_to_a_directory_is_known_below_a_name_that_is_no_text() {
    for number in 0..2 {
        let granted = Granted::new();
        let directory = granted.path("").join(OsStr::from_bytes(b"d\xff"));
        fs::create_dir_all(directory.join("real")).unwrap();
        symlink("real", directory.join("rl")).unwrap();
        symlink(&directory, granted.path("absolute")).unwrap();
        symlink(directory.file_name().unwrap(), granted.path("l1")).unwrap();
        let context = &contexts(&granted)[number];
        for operation in ["Delete File: l1/rl", "Move File: l1/rl -> l1/new"] {
            let reply = patched(&format!("*** {operation}"), context).await;
            let error = reply["error"].as_str().unwrap();
            assert!(error.contains("'l1/rl' is not a regular file"), "{error}");
        }
        assert!(directory.join("rl").is_symlink());
    }
}
