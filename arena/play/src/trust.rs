//! Trust in code that runs outside a sandbox with the rights of the user: libraries in this
//! process, and programs that a league starts. Such code runs only after the user has confirmed it
//! once. Digests of confirmed code are kept in a file of the user.
//!
//! The functions that seat bots ([`crate::catalogue`], [`crate::prepared`]) check trust, so that no
//! command can omit the check.

use hattari_agents::agent::{CommandLine, lock};
use hattari_agents::files;
use hattari_agents::text::{cut, escape_for_sentence};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::{env, fmt};

/// Environment variable with the folder for the list of trusted code.
pub(crate) const STATE_VARIABLE: &str = "HATTARI_STATE";
/// Name of the file with the list of trusted code. Each line has a digest and a description.
const FILE: &str = "trusted";
/// Maximum number of bytes that are read from the file.
const FILE_BYTES_MAX: u64 = 1 << 24;
/// Maximum size of a description in bytes.
const DESCRIPTION_BYTES_MAX: usize = 2000;

/// Code that would run outside a sandbox with the rights of the user.
#[derive(Debug)]
pub struct UntrustedCode {
    /// Description on one line without control characters; for a file it contains the digest.
    what: String,
    /// The way in which the code would run, for messages.
    mode: &'static str,
    /// The alternative to trusting the code, for messages.
    alternative: &'static str,
    /// Digest of all inputs that determine what runs.
    digest: String,
}

/// The error for code that is not trusted.
#[derive(Debug, thiserror::Error)]
#[error("{code}; if you trust it, add `--trust` to this command once (it is remembered), {}", code.alternative)]
pub(crate) struct NotTrusted {
    /// The code that was not run.
    pub code: UntrustedCode,
}

impl fmt::Display for UntrustedCode {
    /// Writes the first part of a question or error message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UntrustedCode { what, mode, .. } = self;
        write!(
            f,
            "{what} would run {mode} with your permissions: it could read and write your files, \
            use the network and start programs"
        )
    }
}

/// The policy for code that is not trusted yet.
#[derive(Clone, Copy, Debug, Default)]
pub enum TrustPolicy {
    /// The code is not run.
    #[default]
    Refuse,
    /// The given function asks the user, and consent is remembered.
    Ask(fn(&UntrustedCode) -> bool),
    /// The code is run and remembered, because the user has given consent.
    Trust,
    /// The code is run, but not remembered. For programs that know all code that they run, for
    /// example benchmarks.
    Grant,
}

/// The policy, and the decisions of this process so far.
#[derive(Default)]
struct KnownCode {
    policy: TrustPolicy,
    /// Decision for each digest: true for trusted code, false for refused code.
    answers: HashMap<String, bool>,
}

static KNOWN: LazyLock<Mutex<KnownCode>> = LazyLock::new(Mutex::default);

/// Sets the policy for code that is not trusted yet. The default is `TrustPolicy::Refuse`.
pub fn set_policy(policy: TrustPolicy) {
    *lock(&KNOWN) = KnownCode {
        policy,
        answers: HashMap::new(),
    };
}

/// Checks that the library at `path` may be loaded into this process. `content` is the content of
/// its file. Trust depends on the content and on the path, because the library may load other
/// libraries from its folder.
///
/// # Errors
/// Returns an error if the library is not trusted, and the policy or the user does not allow it.
pub(crate) fn check_library(path: &Path, content: &[u8]) -> Result<(), NotTrusted> {
    let real_path = files::canonical(path);
    let content = Sha256::digest(content);
    check_code(UntrustedCode {
        what: printable_description(&format!(
            "the library {} (SHA-256 {content:x})",
            real_path.display()
        )),
        mode: "in this process",
        alternative: "or run it in a separate process: `isolation: process`",
        digest: digest_of([b"library".as_slice(), &content, path_bytes(&real_path)]),
    })
}

/// Checks that a league or a bot in the folder `base` may start `command`; `kind` is the protocol
/// of the program. Trust depends on the words of the command, the files that they name, and the
/// folders, because a program may use other files in its folder.
///
/// # Errors
/// Returns an error if the command is not trusted.
pub(crate) fn check_command(
    kind: &str,
    command: &CommandLine,
    base: &Path,
) -> Result<(), NotTrusted> {
    let base = fs::canonicalize(Path::new(".").join(base)).unwrap_or_else(|_| base.to_owned());
    let folder = command.folder.as_deref().unwrap_or_default();
    let start = [
        b"command".as_slice(),
        kind.as_bytes(),
        path_bytes(&base),
        folder.as_bytes(),
    ];
    let mut parts = start.map(<[u8]>::to_vec).to_vec();
    for (word, file) in command.words.iter().zip(command.paths(&base)) {
        let digest = file.map(|file| file_digest(&base.join(file)));
        parts.extend([word.clone().into_bytes(), digest.unwrap_or_default()]);
    }
    let digest = digest_of(parts);
    check_code(UntrustedCode {
        what: printable_description(&format!(
            "the command `{}` in {} (SHA-256 {digest})",
            escape_for_sentence(&command.to_string()),
            base.display()
        )),
        mode: "as a program",
        alternative: "or remove its entrant",
        digest,
    })
}

/// Returns a description on one line that is safe to print.
fn printable_description(text: &str) -> String {
    let printable = text.replace(char::is_control, " ");
    cut(&printable, DESCRIPTION_BYTES_MAX).to_owned()
}

/// Returns `Ok` for trusted code, and applies the policy to other code. The lock ensures that only
/// one question is asked at a time.
fn check_code(code: UntrustedCode) -> Result<(), NotTrusted> {
    let mut known = lock(&KNOWN);
    if let TrustPolicy::Grant = known.policy {
        return Ok(());
    }
    let is_trusted = known.answers.get(&code.digest).copied().unwrap_or_else(|| {
        if is_listed(&code.digest) {
            return true;
        }
        let is_allowed = match known.policy {
            TrustPolicy::Refuse => false,
            TrustPolicy::Ask(ask) => ask(&code),
            TrustPolicy::Trust | TrustPolicy::Grant => true,
        };
        if is_allowed {
            add_to_list(&code);
        }
        is_allowed
    });
    known.answers.insert(code.digest.clone(), is_trusted);
    if is_trusted {
        Ok(())
    } else {
        Err(NotTrusted { code })
    }
}

/// Returns the path of the list of trusted code; `None` if the user has no folder for it.
pub fn list_path() -> Option<PathBuf> {
    let variable = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    // A relative path would depend on the current folder, which an attacker may have created.
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    let folder = variable(STATE_VARIABLE)
        .or_else(|| absolute("XDG_STATE_HOME").map(|state| state.join("hattari")))
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state/hattari")))
        .or_else(|| absolute("LOCALAPPDATA").map(|state| state.join("hattari")))?;
    Some(folder.join(FILE))
}

/// Returns `true` if the digest is in the list.
fn is_listed(digest: &str) -> bool {
    let Some(file) = list_path().and_then(|path| File::open(path).ok()) else {
        return false;
    };
    let mut text = Vec::new();
    _ = file.take(FILE_BYTES_MAX).read_to_end(&mut text);
    text.split(|&byte| byte == b'\n')
        .any(|line| line.split(|&byte| byte == b' ').next() == Some(digest.as_bytes()))
}

/// Adds code to the list. If the list cannot be written, logs a warning; the next run asks again.
fn add_to_list(code: &UntrustedCode) {
    let Some(path) = list_path() else {
        tracing::warn!(
            "there is no folder for the list of trusted code; set {STATE_VARIABLE} to a folder"
        );
        return;
    };
    if let Err(error) = append(&path, &format!("{} {}\n", code.digest, code.what)) {
        tracing::warn!(
            "{}: cannot save the list of trusted code ({error}), so you will be asked again",
            path.display()
        );
    }
}

fn append(file: &Path, line: &str) -> io::Result<()> {
    fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(line.as_bytes())
}

/// Returns the digest of parts, which includes the length of each part.
fn digest_of(parts: impl IntoIterator<Item: AsRef<[u8]>>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.as_ref().len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Returns the digest of a file's content; empty if the file cannot be read.
fn file_digest(path: &Path) -> Vec<u8> {
    let mut hash = Sha256::new();
    files::open(path)
        .and_then(|(file, size)| io::copy(&mut file.take(size), &mut hash))
        .map_or_else(|_| Vec::new(), |_| hash.finalize().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::has;

    fn line(words: &[&str]) -> CommandLine {
        CommandLine {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            folder: None,
        }
    }

    /// Returns the digest of a command that is not trusted.
    fn digest(words: &[&str], base: &Path) -> String {
        check_command("uecda", &line(words), base)
            .unwrap_err()
            .code
            .digest
    }

    #[test]
    fn the_trust_digest_covers_arguments_file_contents_and_folder() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let digest = |folder: usize, words: &str, content| {
            let words: Vec<&str> = words.split(';').collect();
            fs::write(folders[folder].path().join("bot.py"), content).unwrap();
            digest(&words, folders[folder].path())
        };
        let first = digest(0, "python3;bot.py", "print(1)");
        for (folder, words, content) in [
            (0, "python3;bot.py;-x", "print(1)"),
            (0, "python3 bot.py", "print(1)"),
            (1, "python3;bot.py", "print(1)"),
            (0, "python3;bot.py", "print(2)"),
        ] {
            assert_ne!(first, digest(folder, words, content), "{words}");
        }
        assert_eq!(first, digest(0, "python3;bot.py", "print(1)"));
    }

    #[test]
    fn a_trust_error_names_the_code_and_the_fix_on_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let message = check_command("uecda", &line(&["./x\u{1b}[2J\n", "{port}"]), folder.path())
            .unwrap_err()
            .to_string();
        for words in ["add `--trust` to this command", "as a program", "./x"] {
            has(&message, words);
        }
        assert!(!message.contains(char::is_control), "{message:?}");
        let path = folder.path().join("libx.so");
        fs::write(&path, "x").unwrap();
        let message = check_library(&path, b"x").unwrap_err().to_string();
        // The output of `sha256sum` for this file.
        let digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
        has(&message, &format!("libx.so (SHA-256 {digest})"));
        has(&message, "in this process");
        assert!(message.ends_with("`isolation: process`"), "{message}");
    }
}
