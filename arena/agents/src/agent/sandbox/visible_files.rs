//! The files that a sandboxed program sees: the system's own folders, the files that its command
//! names, its folder where that is its own, and the installation of its interpreter. A folder that
//! holds a league is not shown: a league's seed tells all cards.

use super::spec::{ALTERNATIVES, SandboxSpec};
use crate::agent::Limits;
use crate::agent::launch::CommandLine;
use std::fs;
use std::path::{Path, PathBuf, is_separator};

/// Folders of the system: its programs and libraries, the same for everybody.
pub(super) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
];
/// Where the system keeps its choice among programs of one kind, as links.
const CHOICES: &str = "/etc/alternatives";
/// Most links that lead from one to the next.
const LINKS_MAX: usize = 40;

/// What a program sees and what it must not see.
struct Visible {
    /// The folder of the league.
    base: PathBuf,
    home: Option<PathBuf>,
    /// Folders among those of the system that are not shown.
    hidden: Vec<PathBuf>,
    /// Files and folders beside those of the system that are shown.
    shown: Vec<PathBuf>,
}

impl Visible {
    fn new(base: PathBuf) -> Visible {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.filter(|home| home.is_absolute());
        // Users of the system's own have `/usr/sbin` or the like for a home.
        let is_home = |home: &&PathBuf| {
            let is_named = |name: &&str| home.ends_with(name);
            home.is_dir()
                && !["bin", "sbin", "usr", "opt"]
                    .iter()
                    .any(|name| is_named(&name))
        };
        let hidden = [Some(&base), home.as_ref().filter(is_home)];
        let hidden = hidden.into_iter().flatten().cloned();
        Visible {
            hidden: hidden.filter(|folder| is_of_system(folder)).collect(),
            shown: Vec::new(),
            base,
            home,
        }
    }

    /// Returns whether a folder holds the league, the user's home, or everything.
    fn holds_others(&self, folder: &Path) -> bool {
        let home = self.home.as_ref();
        self.base.starts_with(folder)
            || home.is_some_and(|home| home.starts_with(folder))
            || folder.parent().is_none()
    }

    fn sees(&self, path: &Path) -> bool {
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| path.starts_with(folder));
        is_of_system(path) && !is_in(&self.hidden) || is_in(&self.shown)
    }

    /// Shows what lies around a program, or the program alone where the command names its file.
    /// Returns whether the program is visible then.
    fn show_program(&mut self, program: &Path, is_named: bool) -> bool {
        if self.sees(program) {
            return true;
        }
        let around = self.installation(program).map(Path::to_owned);
        let shown = around.or(is_named.then(|| program.to_owned()));
        let is_visible = shown.is_some();
        self.shown.extend(shown);
        is_visible
    }

    /// Returns the folder of an interpreter's installation: the program lies in its `bin`, and it
    /// has a `lib` or is a virtual environment of Python. A folder of the user's home such as
    /// `~/.local` is none.
    fn installation<'p>(&self, program: &'p Path) -> Option<&'p Path> {
        let bin = program.parent().filter(|bin| bin.ends_with("bin"))?;
        let around = bin.parent()?;
        let is_own = around.join("pyvenv.cfg").is_file()
            || around.join("lib").is_dir() && around.parent() != self.home.as_deref();
        Some(around).filter(|around| is_own && !self.holds_others(around))
    }
}

/// Returns the sandbox of a command whose paths start from `base`.
///
/// # Errors
/// The program is not there, or cannot be shown.
pub(crate) fn spec_of(
    command: &CommandLine,
    base: &Path,
    limits: Limits,
) -> Result<SandboxSpec, String> {
    let base = fs::canonicalize(Path::new(".").join(base))
        .map_err(|error| format!("{}: {error}", base.display()))?;
    let launch = command.launch(&base)?;
    let folder =
        fs::canonicalize(launch.folder()).map_err(|error| format!("its folder: {error}"))?;
    let program = whole_path(command, &base)?;
    let named = command.files(&base).next().and_then(|file| whole(&file));
    let mut visible = Visible::new(base);
    if !visible.holds_others(&folder) {
        visible.shown.push(folder.clone());
    }
    let mut arguments = Vec::new();
    for word in command.words.iter().skip(1) {
        let file = fs::canonicalize(visible.base.join(word))
            .ok()
            .filter(|file| file.is_file());
        let Some(file) = file.filter(|file| file.to_str().is_some()) else {
            arguments.push(word.clone());
            continue;
        };
        arguments.push(file.to_str().unwrap_or_default().to_owned());
        if !visible.sees(&file) {
            visible.shown.push(file);
        }
    }
    // A program may be a link to another, and that needs what lies around it.
    let links = std::iter::successors(Some(program.clone()), |name| target(name));
    for name in links.take(LINKS_MAX) {
        if !visible.show_program(&name, named.as_ref() == Some(&name)) {
            return Err(unseen(
                command.words.first().map_or("", String::as_str),
                &name,
            ));
        }
    }
    let Visible { hidden, shown, .. } = visible;
    for path in [&folder, &program].into_iter().chain(&shown) {
        if path.to_str().is_none() {
            return Err(format!(
                "{}: a sandboxed program has paths of text alone; {ALTERNATIVES}",
                path.display()
            ));
        }
    }
    Ok(SandboxSpec {
        program,
        arguments,
        folder,
        shown,
        hidden,
        limits,
        parent: std::process::id(),
        is_probe: false,
    })
}

/// Says that the program `name`, which a command calls `word`, cannot be shown, and which one to
/// name in its place.
fn unseen(word: &str, name: &Path) -> String {
    let file = Path::new(word).file_name().unwrap_or_default();
    let whole = ["/usr/local/bin", "/usr/bin", "/bin"]
        .map(|folder| Path::new(folder).join(file))
        .into_iter()
        .find(|file| is_executable(file));
    let cure = match whole {
        Some(whole) => format!(
            "name the system's, `command: [{}, …]` in a league",
            whole.display()
        ),
        None => {
            "name one of the system by its whole path in `command`, or install it there".to_owned()
        }
    };
    format!(
        "`{word}` is {}, outside of the system's folders, which a sandboxed program cannot see; {cure}. An interpreter with its own folder \
         will do too, as `~/.pyenv/versions/VERSION/bin/python3`, and so will a program that lies in the bot's own `folder`",
        name.display()
    )
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM
        .iter()
        .chain([&CHOICES])
        .any(|folder| path.starts_with(folder))
}

/// The whole path of a command's program, as it is called: links are not followed, for some go by
/// their name.
fn whole_path(command: &CommandLine, base: &Path) -> Result<PathBuf, String> {
    let word = command.words.first().map_or("", String::as_str);
    let found = if word.contains(is_separator) {
        Some(base.join(word)).filter(|file| file.is_file())
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(word))
            .find(|file| is_executable(file))
    };
    let found = found.and_then(|file| whole(&file));
    found.ok_or_else(|| {
        format!(
            "the command `{word}` cannot be started: there is no such file; give its path from the league's folder, or a program of the \
             search path, as the first word of `command`"
        )
    })
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// A path whose folder has no links and no dots; its last name stays.
fn whole(file: &Path) -> Option<PathBuf> {
    Some(
        fs::canonicalize(file.parent()?)
            .ok()?
            .join(file.file_name()?),
    )
}

/// Where a link leads.
fn target(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    whole(&link.parent()?.join(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec_in(words: &[&str], folder: Option<&str>, base: &Path) -> Result<SandboxSpec, String> {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        spec_of(
            &CommandLine {
                words,
                folder: folder.map(str::to_owned),
            },
            base,
            Limits::default(),
        )
    }

    #[test]
    fn a_league_beside_a_program_is_not_shown_with_it() {
        let top = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(top.path()).unwrap();
        let (league, own) = (top.join("league"), top.join("own"));
        for folder in [&league, &own] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("x.sh"), "").unwrap();
        }
        let spec = |words: &[&str], folder| spec_in(words, folder, &league).unwrap();
        assert_eq!(
            spec(&["/bin/sh", "x.sh"], None).shown,
            [league.join("x.sh")]
        );
        assert_eq!(
            spec(&["/bin/sh", "../own/x.sh"], None).shown,
            [own.join("x.sh")]
        );
        let held = spec(&["/bin/sh", "../own/x.sh", "-v"], Some("../own"));
        assert_eq!((held.shown, held.folder), (vec![own.clone()], own.clone()));
        assert_eq!(held.arguments, [own.join("x.sh").to_str().unwrap(), "-v"]);
        // Its folder holds the league's, too.
        assert_eq!(
            spec(&["/bin/sh", "x.sh"], Some("..")).shown,
            [league.join("x.sh")]
        );
        assert_eq!(
            spec(&["/bin/sh", "x.sh"], Some("/")).shown,
            [league.join("x.sh")]
        );
    }

    #[test]
    fn a_program_of_nowhere_is_refused_and_an_installation_is_shown_whole() {
        let top = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(top.path()).unwrap();
        let bin = top.join("python/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir(top.join("league")).unwrap();
        fs::copy("/bin/sh", bin.join("sh")).unwrap();
        let script = top.join("league/x.sh");
        fs::write(&script, "").unwrap();
        let spec = |word: &str| spec_in(&[word, "x.sh"], None, &top.join("league"));
        let program = bin.join("sh");
        assert_eq!(
            spec(program.to_str().unwrap()).unwrap().shown,
            [script.clone(), program.clone()]
        );
        fs::create_dir(top.join("python/lib")).unwrap();
        assert_eq!(
            spec(program.to_str().unwrap()).unwrap().shown,
            [script, top.join("python")]
        );
        assert!(
            spec("no-such-program-anywhere")
                .unwrap_err()
                .contains("as the first word of `command`")
        );
    }
}
