//! Reads the text of a league file.

use super::problem::{LeagueError, Problem, TextPosition};
use super::{FILE_BYTES_MAX, Path};
use hattari_agents::text;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};

/// Returns the text of the league file at `path`.
///
/// # Errors
/// Returns an error if the file is missing, is a folder, cannot be read, is too large, or is not
/// UTF-8.
pub(super) fn read(path: &Path) -> Result<String, LeagueError> {
    let fail = |message: &str, remedy| Err(unreadable(path, None, message.into(), remedy));
    // Limit the number of bytes, because the size of pipes and devices is unknown in advance.
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|error| (error.kind(), error));
    match read {
        Ok(_) => text_of(path, &bytes),
        Err((ErrorKind::IsADirectory, _)) => {
            let remedy = format!("give a league file. {}", suggest_leagues(path, path));
            fail("the path is a folder", remedy)
        }
        Err((ErrorKind::NotFound, _)) => {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            fail("there is no such file", suggest_leagues(folder, path))
        }
        Err((_, error)) => {
            let message = format!("cannot read the file: {error}");
            fail(&message, "make the file readable".into())
        }
    }
}

/// Decodes the text of the league file at `path`.
///
/// # Errors
/// Returns an error if the file is a store, has too many bytes or is not UTF-8.
pub(super) fn text_of(path: &Path, bytes: &[u8]) -> Result<String, LeagueError> {
    let fail = |position, message, remedy| Err(unreadable(path, position, message, remedy));
    if bytes.starts_with(b"SQLite format 3\0") {
        let message = "the file is a store, and this command needs a league file".to_owned();
        let remedy = "give the league file; `hattari report STORE` and other commands that only \
                      read results accept a store";
        return fail(None, message, remedy.into());
    }
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let message = format!(
            "the file has more than {} bytes, the maximum for a league",
            text::grouped(FILE_BYTES_MAX)
        );
        return fail(None, message, "give a league file".into());
    }
    // Skip the byte order mark that some editors write.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map(str::to_owned)
        .or_else(|error| {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            fail(
                Some(TextPosition::after(&valid)),
                "the file is not valid UTF-8 from here on".into(),
                "save it as UTF-8".into(),
            )
        })
}

/// Creates the error for a league file that cannot be read.
fn unreadable(
    path: &Path,
    position: Option<TextPosition>,
    message: String,
    remedy: String,
) -> LeagueError {
    let problem = Problem {
        position,
        message,
        remedy,
    };
    LeagueError::new(path, "", vec![problem])
}

/// Returns a remedy for a wrong file name: a league with a similar name in the folder, or all
/// leagues in it.
fn suggest_leagues(folder: &Path, path: &Path) -> String {
    let is_league = |path: &Path| {
        path.extension()
            .is_some_and(|ending| ending == "yaml" || ending == "yml")
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return format!("there is no folder `{}` either", folder.display());
    };
    let mut leagues: Vec<String> = entries
        .flatten()
        .filter(|entry| is_league(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    leagues.sort();
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    if leagues.is_empty() {
        return format!("the folder `{}` contains no league", folder.display());
    }
    match text::nearest(&name, leagues.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{}`?", folder.join(name).display()),
        None => {
            format!(
                "leagues in `{}`: {}",
                folder.display(),
                text::quoted(leagues.iter())
            )
        }
    }
}
