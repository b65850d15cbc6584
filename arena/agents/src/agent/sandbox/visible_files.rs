//! The files that a sandboxed program can see: the system's folders, the files that its command
//! names, its working directory, and the installation of its interpreter. The league's folder is
//! not visible, because the league's seed determines all cards.

use super::report::SandboxSpec;
use crate::agent::{CommandLine, ProcessLimits};
use crate::files;
use std::fs;
use std::path::{Path, PathBuf, is_separator};

/// The system's folders: programs and libraries that are the same for all users.
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
/// Folder with the symbolic links that select between alternative programs of the system.
const ALTERNATIVES: &str = "/etc/alternatives";
/// Maximum length of a chain of symbolic links.
const LINKS_MAX: usize = 40;

/// Returns the specification of a sandbox for a command whose paths are relative to `base`.
///
/// # Errors
/// Returns an error if the program does not exist or cannot be made visible.
pub(crate) fn spec_of(
    command: &CommandLine,
    base: &Path,
    limits: ProcessLimits,
) -> Result<SandboxSpec, String> {
    let base = fs::canonicalize(Path::new(".").join(base))
        .map_err(|error| format!("{}: {error}", base.display()))?;
    let folder = fs::canonicalize(command.launch(&base)?.folder())
        .map_err(|error| format!("its folder: {error}"))?;
    let program = program_path(command, &base)?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let private: Vec<&PathBuf> = home
        .iter()
        .filter(|home| home.is_absolute())
        .chain([&base])
        .collect();
    let holds_private = |folder: &Path| {
        folder.parent().is_none() || private.iter().any(|path| path.starts_with(folder))
    };
    // The home directory of system users may be `/usr/sbin` or similar.
    let is_bin = |path: &Path| {
        ["bin", "sbin", "usr", "opt"]
            .iter()
            .any(|name| path.ends_with(name))
    };
    let hidden: Vec<PathBuf> = private
        .iter()
        .filter(|path| path.is_dir() && is_of_system(path) && !is_bin(path))
        .map(|path| (*path).clone())
        .collect();
    let is_seen = |path: &Path, shown: &[PathBuf]| {
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| path.starts_with(folder));
        is_of_system(path) && !is_in(&hidden) || is_in(shown)
    };
    let mut shown = Vec::new();
    if !holds_private(&folder) {
        shown.push(folder.clone());
    }
    let mut arguments = Vec::new();
    for word in command.words.iter().skip(1) {
        let file = fs::canonicalize(base.join(word))
            .ok()
            .filter(|file| file.is_file());
        match file.as_deref().and_then(Path::to_str) {
            Some(path) => {
                arguments.push(path.to_owned());
                shown.extend(file.filter(|file| !is_seen(file, &shown)));
            }
            None => arguments.push(word.clone()),
        }
    }
    let named = command
        .files(&base)
        .next()
        .and_then(|file| resolve_folder(&file));
    // A program may be a symbolic link to another one, which needs its installation.
    let links = std::iter::successors(Some(program.clone()), |name| target(name));
    for name in links.take(LINKS_MAX) {
        if is_seen(&name, &shown) {
            continue;
        }
        let around = installation(&name, home.as_deref())
            .filter(|around| !holds_private(around))
            .or(Some(name.clone()).filter(|name| named.as_ref() == Some(name)));
        let word = command.words.first().map_or("", String::as_str);
        shown.push(around.ok_or_else(|| not_visible_error(word, &name))?);
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

/// Returns the folder of an interpreter's installation. The program must be in its `bin`, and the
/// folder must contain `lib` or be a Python virtual environment. A folder directly in the home
/// directory, such as `~/.local`, is accepted only if it is a virtual environment.
fn installation(program: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let around = program
        .parent()
        .filter(|bin| bin.ends_with("bin"))?
        .parent()?;
    let is_one = around.join("pyvenv.cfg").is_file()
        || around.join("lib").is_dir() && around.parent() != home;
    is_one.then(|| around.to_owned())
}

/// Returns the error for a program that cannot be made visible, with a remedy. `word` is the
/// program in the command, `name` its absolute path.
fn not_visible_error(word: &str, name: &Path) -> String {
    let file = Path::new(word).file_name().unwrap_or_default();
    let whole = ["/usr/local/bin", "/usr/bin", "/bin"]
        .map(|folder| Path::new(folder).join(file))
        .into_iter()
        .find(|file| files::is_executable(file));
    let remedy = match whole {
        Some(whole) => format!(
            "use the system's program, `command: [{}, …]` in the league",
            whole.display()
        ),
        None => "install the program in a system folder, and give its absolute path in `command`"
            .to_owned(),
    };
    format!(
        "`{word}` is {}, which is outside the system's folders and not visible to a sandboxed \
         program; {remedy}. Also possible: an interpreter in its own folder, for example \
         `~/.pyenv/versions/VERSION/bin/python3`, or a program in the bot's `folder`",
        name.display()
    )
}

fn is_of_system(path: &Path) -> bool {
    SYSTEM
        .iter()
        .chain([&ALTERNATIVES])
        .any(|folder| path.starts_with(folder))
}

/// Returns the absolute path of a command's program. Symbolic links are not resolved, because some
/// programs depend on their name.
fn program_path(command: &CommandLine, base: &Path) -> Result<PathBuf, String> {
    let word = command.words.first().map_or("", String::as_str);
    let found = if word.contains(is_separator) {
        Some(base.join(word)).filter(|file| file.is_file())
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(word))
            .find(|file| files::is_executable(file))
    };
    found.and_then(|file| resolve_folder(&file)).ok_or_else(|| {
        format!(
            "the command `{word}` cannot be started: there is no such file; the first word of \
             `command` must be a path relative to the league file, or a program in PATH"
        )
    })
}

/// Resolves symbolic links in the folder of a path, but not in its last component.
fn resolve_folder(file: &Path) -> Option<PathBuf> {
    Some(
        fs::canonicalize(file.parent()?)
            .ok()?
            .join(file.file_name()?),
    )
}

/// Returns the target of a symbolic link.
fn target(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    resolve_folder(&link.parent()?.join(target))
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
            ProcessLimits::default(),
        )
    }

    #[test]
    fn a_league_in_the_folder_of_a_program_is_not_visible() {
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
        // This folder also contains the league's.
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
    fn a_program_in_an_unknown_folder_is_refused_and_an_installation_is_visible() {
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
                .contains("the first word of `command` must be")
        );
    }
}
