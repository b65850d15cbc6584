//! What a program sees of the file system: the system's own folders, the files that its command
//! names, and its folder where that is its own. Where a league lies in that folder, it is not:
//! whoever reads a league knows its seed, and with it all cards.

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
    let home = std::env::var_os("HOME")
        .map(PathBuf::from)
        .filter(|home| home.is_absolute());
    let holds_others = |folder: &Path| {
        base.starts_with(folder)
            || home.as_ref().is_some_and(|home| home.starts_with(folder))
            || folder.parent().is_none()
    };
    // Users of the system's own have `/usr/sbin` or the like for a home.
    let is_home = |home: &PathBuf| {
        home.is_dir()
            && !["bin", "sbin", "usr", "opt"]
                .iter()
                .any(|name| home.ends_with(name))
    };
    let hidden = [Some(base.clone()), home.clone().filter(is_home)]
        .into_iter()
        .flatten();
    let hidden: Vec<PathBuf> = hidden.filter(|folder| is_of_system(folder)).collect();
    let mut shown: Vec<PathBuf> = Vec::new();
    let is_seen = |path: &Path, shown: &[PathBuf]| {
        let is_hidden = hidden.iter().any(|hidden| path.starts_with(hidden));
        (is_of_system(path) && !is_hidden) || shown.iter().any(|folder| path.starts_with(folder))
    };
    if !holds_others(&folder) {
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
    // A program may be a link to another, and that needs what lies around it.
    let mut names = vec![program.clone()];
    while let Some(next) = names
        .last()
        .and_then(|name| target(name))
        .filter(|_| names.len() < 40)
    {
        names.push(next);
    }
    let is_named = |path: &Path| {
        command
            .files(&base)
            .next()
            .and_then(|file| whole(&file))
            .as_deref()
            == Some(path)
    };
    for name in names {
        if is_seen(&name, &shown) {
            continue;
        }
        if let Some(around) = installation(&name).filter(|around| !holds_others(around)) {
            shown.push(around);
        } else if is_named(&name) && !program_is_script_of_others(&name) {
            shown.push(name);
        } else {
            return Err(unseen(
                command.words.first().map_or("", String::as_str),
                &name,
            ));
        }
    }
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

/// Says why the program `name`, which a command calls `word`, cannot be shown, and which one to
/// name in its place.
fn unseen(word: &str, name: &Path) -> String {
    let why = if program_is_script_of_others(name) {
        "a wrapper that looks for an installed version outside of the system's folders"
    } else {
        "outside of the system's folders, without an installation of its own around it"
    };
    let file = Path::new(word).file_name().unwrap_or_default();
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"].map(Path::new);
    let cure = match folders
        .into_iter()
        .find(|folder| is_executable(&folder.join(file)))
    {
        Some(folder) => {
            let (folder, whole) = (folder.display(), folder.join(file));
            let whole = whole.display();
            format!(
                "name the system's: `command: [{whole}, …]` in a league, or the command that you typed with `PATH={folder}:$PATH` before it"
            )
        }
        None => {
            "name one of the system by its whole path in `command`, or install it there".to_owned()
        }
    };
    format!(
        "`{word}` is {}, {why}, which a sandboxed program cannot see; {cure}. An interpreter with its own folder will do too, as \
         `~/.pyenv/versions/VERSION/bin/python3`, and so will a program that lies in the bot's own `folder`",
        name.display()
    )
}

/// Where the system keeps its choice among programs of one kind, as links.
const CHOICES: &str = "/etc/alternatives";

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

/// The folder of an interpreter's installation: it has `bin`, in which the program lies, and `lib`,
/// and lies deeper than what everybody has in his home (`~/.local`), or says that it is an
/// environment of Python.
fn installation(program: &Path) -> Option<PathBuf> {
    let bin = program.parent().filter(|bin| bin.ends_with("bin"))?;
    let around = bin.parent()?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let is_deep = home.is_none_or(|home| around.parent() != Some(&home));
    let is_one = around.join("pyvenv.cfg").is_file() || (around.join("lib").is_dir() && is_deep);
    is_one.then(|| around.to_owned())
}

/// Whether a file is a text that others run by its first line: such as stand for versions of an
/// interpreter, and start others by ways that are not seen here.
fn program_is_script_of_others(program: &Path) -> bool {
    program
        .parent()
        .is_some_and(|folder| folder.ends_with("shims"))
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
        let cell = |words: &[&str], folder| spec_in(words, folder, &league).unwrap();
        assert_eq!(
            cell(&["/bin/sh", "x.sh"], None).shown,
            [league.join("x.sh")]
        );
        assert_eq!(
            cell(&["/bin/sh", "../own/x.sh"], None).shown,
            [own.join("x.sh")]
        );
        let held = cell(&["/bin/sh", "../own/x.sh", "-v"], Some("../own"));
        assert_eq!((held.shown, held.folder), (vec![own.clone()], own.clone()));
        assert_eq!(held.arguments, [own.join("x.sh").to_str().unwrap(), "-v"]);
        // Its folder holds the league's, too.
        assert_eq!(
            cell(&["/bin/sh", "x.sh"], Some("..")).shown,
            [league.join("x.sh")]
        );
        assert_eq!(
            cell(&["/bin/sh", "x.sh"], Some("/")).shown,
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
        let cell = |word: &str| spec_in(&[word, "x.sh"], None, &top.join("league"));
        let program = bin.join("sh");
        assert_eq!(
            cell(program.to_str().unwrap()).unwrap().shown,
            [script.clone(), program.clone()]
        );
        fs::create_dir(top.join("python/lib")).unwrap();
        assert_eq!(
            cell(program.to_str().unwrap()).unwrap().shown,
            [script, top.join("python")]
        );
        assert!(
            cell("no-such-program-anywhere")
                .unwrap_err()
                .contains("as the first word of `command`")
        );
        let shims = top.join("shims");
        fs::create_dir(&shims).unwrap();
        fs::copy("/bin/sh", shims.join("sh")).unwrap();
        let error = cell(shims.join("sh").to_str().unwrap()).unwrap_err();
        assert!(
            error.contains("a wrapper that looks for an installed version"),
            "{error}"
        );
        let system = ["/usr/local/bin", "/usr/bin", "/bin"]
            .into_iter()
            .find(|folder| Path::new(folder).join("sh").exists());
        assert!(
            error.contains(&format!(
                "`command: [{0}/sh, …]` in a league, or",
                system.unwrap()
            )),
            "{error}"
        );
    }
}
