//! What a destructive command is aimed at: the root of the file system, a system directory, home, a disk, a file that
//! holds secrets or configures what runs.

/// Directories whose loss breaks the host.
const SYSTEM_DIRECTORIES: [&str; 15] = [
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "proc", "root", "run", "sbin",
    "sys", "usr", "var",
];
/// Beginnings of the name of the home directory before the shell expands it.
const HOME_VARIABLES: [&str; 2] = ["$HOME", "${HOME"];
/// Bytes of the paths that a list in braces stands for.
const MAX_ALTERNATIVES: usize = 8 << 20;

const CREDENTIAL_FILES: [&str; 9] = [
    ".git-credentials",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    "_netrc",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
];
const STARTUP_FILES: [&str; 12] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".kshrc",
    ".profile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
];

/// A place that must not be deleted as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vital {
    Root,
    SystemDirectory,
    Home,
}

impl Vital {
    /// Judges an operand of a delete command; a directory and all that is in it (`/*`) are the same.
    pub(super) fn of(operand: &str) -> Option<Self> {
        alternatives(operand)
            .iter()
            .find_map(|path| Self::of_path(path))
    }

    fn of_path(path: &str) -> Option<Self> {
        if let Some(rest) = behind_home(path) {
            // What contains home is worse than home.
            let is_home = |name: &str| name == ".." || is_all_or_nothing(name);
            return rest.split('/').all(is_home).then_some(Self::Home);
        }
        let mut names = absolute(path)?;
        while names.last().is_some_and(|name| is_all_or_nothing(name)) {
            names.pop();
        }
        match names.as_slice() {
            [] => Some(Self::Root),
            [name] if SYSTEM_DIRECTORIES.contains(name) => Some(Self::SystemDirectory),
            _ => None,
        }
    }
}

/// Returns what stands behind the home directory in a path.
pub(super) fn behind_home(path: &str) -> Option<&str> {
    if let Some(rest) = path.strip_prefix('~') {
        // A user's name may stand between.
        return Some(
            rest.find('/')
                .map_or("", |at| rest.get(at..).unwrap_or_default()),
        );
    }
    let rest = HOME_VARIABLES
        .iter()
        .find_map(|name| path.strip_prefix(name))?;
    let rest = match path.strip_prefix("${") {
        // Whatever an operator does to the value, home is meant.
        Some(_) if !rest.starts_with(|next: char| next == '_' || next.is_alphanumeric()) => {
            rest.split_once('}').map(|(_, rest)| rest)?
        }
        Some(_) => return None,
        None => rest,
    };
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Tells whether a name of a path adds nothing to it, or is a pattern for all that is there.
fn is_all_or_nothing(name: &str) -> bool {
    let mut in_set = false;
    let mut has_letters = false;
    for letter in name.chars() {
        match letter {
            '[' => in_set = true,
            ']' => in_set = false,
            '*' | '?' | '.' => {}
            _ => has_letters |= !in_set,
        }
    }
    !has_letters && name != ".."
}

/// Returns the paths that the first list in braces stands for, `/{a,b}` for `/a` and `/b`.
fn alternatives(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(before, rest)| {
        let (list, behind) = rest.split_once('}')?;
        (list.contains(',') && !before.ends_with('$')).then_some((before, list, behind))
    });
    match parts {
        Some((before, list, behind)) => {
            let mut bytes = 0;
            let items = list.split(',').take_while(|item| {
                bytes += before.len() + item.len() + behind.len();
                bytes <= MAX_ALTERNATIVES
            });
            items
                .map(|item| format!("{before}{item}{behind}"))
                .collect()
        }
        None => vec![path.to_owned()],
    }
}

/// A kind of file that a command should not write without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sensitive {
    /// Configuration of the system.
    System,
    /// Keys and passwords of the user.
    Credentials,
    /// What every shell of the user runs.
    ShellStartup,
    /// Configuration and secrets of the agent or of a project.
    Project,
}

impl Sensitive {
    /// Judges a path as it stands in a command.
    pub(super) fn of(path: &str) -> Option<Self> {
        if let Some(["etc", ..] | ["private", "etc", ..]) = absolute(path).as_deref() {
            return Some(Self::System);
        }
        let name = base_name(path);
        let is_in = |directory: &str| {
            path.strip_prefix(directory)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                || path.contains(&format!("/{directory}/"))
                || path.ends_with(&format!("/{directory}"))
        };
        if CREDENTIAL_FILES.contains(&name) || is_in(".ssh") || is_in(".aws") || is_in(".gnupg") {
            return Some(Self::Credentials);
        }
        if STARTUP_FILES.contains(&name) {
            return Some(Self::ShellStartup);
        }
        let is_environment = name == ".env" || name == ".envrc" || name.starts_with(".env.");
        let is_template = [".example", ".sample", ".template"]
            .iter()
            .any(|end| name.ends_with(end));
        let is_config = ["config.yaml", "config.yml", "auth.json"].contains(&name);
        (is_config || is_environment && !is_template).then_some(Self::Project)
    }
}

/// Tells whether a path is that of something directly below the root or in a system directory.
pub(super) fn is_in_root(path: &str) -> bool {
    const OTHERS: [&str; 5] = ["home", "run", "dev", "root", "var"];
    match absolute(path).as_deref() {
        Some([_]) => true,
        Some([first, ..]) => SYSTEM_DIRECTORIES.contains(first) && !OTHERS.contains(first),
        _ => false,
    }
}

/// Returns the last name of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns the names of an absolute path, `.` and `..` resolved; `None` for any other path.
pub(super) fn absolute(path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for name in path.strip_prefix('/')?.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    Some(names)
}

/// Tells whether a path is that of a system directory or of something in one.
pub(super) fn is_of_system(path: &str) -> bool {
    Vital::of(path).is_some()
        || is_in_root(path)
            && matches!(absolute(path).as_deref(), Some([first, ..]) if SYSTEM_DIRECTORIES.contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vital_places_are_known_by_every_spelling() {
        for operand in [
            "/", "//", "/*", "/.", "/tmp/..", "/./", "/*/", "/[a-z]*", "/.*", "/??*", "/{a,}",
            "/*/*",
        ] {
            assert_eq!(Vital::of(operand), Some(Vital::Root), "{operand}");
        }
        for operand in [
            "/etc",
            "/etc/",
            "/usr/*",
            "//var//",
            "/tmp/../home",
            "/{bin,usr}",
            "/{x,usr}/*",
            "/usr/[a-z]*/",
        ] {
            assert_eq!(
                Vital::of(operand),
                Some(Vital::SystemDirectory),
                "{operand}"
            );
        }
        for operand in [
            "~",
            "~/",
            "~/*",
            "$HOME",
            "${HOME}/",
            "$HOME/*",
            "~root",
            "~/.",
            "~/.*",
            "~/..",
            "${HOME:?}",
            "${HOME%/}",
            "${HOME:-/x}/*",
            "$HOME/{.,}*",
            "~/.[!.]*",
        ] {
            assert_eq!(Vital::of(operand), Some(Vital::Home), "{operand}");
        }
        for operand in [
            "/tmp",
            "/tmp/*",
            "/etc/x",
            "etc",
            "*",
            ".",
            "~/x",
            "/home/u/x",
            "/home/u/*",
            "/x/{bin,usr}",
            "/tmp/{a,b}",
            "${HOMES}",
            "$HOMEPATH",
            "~/{a,b}",
            "~/*.log",
            "/*.log",
            "~/..x",
            "",
        ] {
            assert_eq!(Vital::of(operand), None, "{operand}");
        }
    }
}
