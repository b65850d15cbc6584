//! Reads the text of a league file.

use super::problem::{LeagueError, Problem, TextPosition};
use hattari_agents::{files, text};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Maximum size of a league file in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Returns the text of the league file at `path`.
///
/// # Errors
/// Returns an error if the file is missing, is a folder, cannot be read, is too large, or is not
/// UTF-8.
pub(super) fn read(path: &Path) -> Result<String, LeagueError> {
    // Limit the number of bytes, because the size of pipes and devices is unknown in advance.
    let mut bytes = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes));
    let Err(error) = read else {
        return text_of(path, &bytes);
    };
    let problem = match error.kind() {
        ErrorKind::IsADirectory => Problem::of_file(
            "the path is a folder",
            format!("give a league file. {}", suggest_leagues(path, path)),
        ),
        ErrorKind::NotFound => {
            let remedy = suggest_leagues(files::folder_of(path), path);
            Problem::of_file("there is no such file", remedy)
        }
        _ => Problem::of_file(
            format!("cannot read the file: {error}"),
            "make the file readable",
        ),
    };
    Err(LeagueError::new(path, "", vec![problem]))
}

/// Decodes the text of the league file at `path`.
///
/// # Errors
/// Returns an error if the file is a store, has too many bytes or is not UTF-8.
pub(super) fn text_of(path: &Path, bytes: &[u8]) -> Result<String, LeagueError> {
    // Skip the byte order mark that some editors write.
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let problem = if bytes.starts_with(b"SQLite format 3\0") {
        Problem::of_file(
            "the file is a store, and this command needs a league file",
            "give the league file; `hattari report STORE` and other commands that only read \
            results accept a store",
        )
    } else if bytes.len() as u64 > FILE_BYTES_MAX {
        let most = text::grouped(FILE_BYTES_MAX);
        Problem::of_file(
            format!("the file has more than {most} bytes, the maximum for a league"),
            "give a league file",
        )
    } else {
        match std::str::from_utf8(content) {
            Ok(text) => return Ok(text.to_owned()),
            Err(error) => {
                let valid = String::from_utf8_lossy(&content[..error.valid_up_to()]);
                let position = Some(TextPosition::after(&valid));
                Problem::at(
                    position,
                    "the file is not valid UTF-8 from here on",
                    "save it as UTF-8",
                )
            }
        }
    };
    Err(LeagueError::new(path, "", vec![problem]))
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
    let name = files::name_of(path);
    let (shown, all) = (folder.display(), text::quoted(leagues.iter()));
    match text::nearest(&name, leagues.iter().map(String::as_str)) {
        _ if leagues.is_empty() => format!("the folder `{shown}` contains no league"),
        Some(name) => format!("did you mean `{}`?", folder.join(name).display()),
        None => format!("leagues in `{shown}`: {all}"),
    }
}
