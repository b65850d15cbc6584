//! Output to stdout and stderr. Functions that write to stdout return [`Outcome::Done`], so that a
//! command can end with its output.

pub(crate) use hattari_agents::text::short;
use hattari_agents::{files, text};
use hattari_report::report::PrintedResult;
pub(crate) use hattari_report::report::terminal::text_table as table;
use hattari_study::{AtPath, CommandResult, Outcome};
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Writes `text` to stdout, with spaces in place of characters that control a terminal. A closed
/// pipe (`| head`) is no error.
///
/// # Errors
/// Returns an error if stdout cannot be written, for example if a disk is full.
pub(crate) fn print(text: &str) -> CommandResult {
    print_drawn(&text::escape_for_terminal(text))
}

/// Writes to stdout a text that may contain colour codes of this program.
/// [`text::escape_for_terminal`] must have replaced all other control characters.
///
/// # Errors
/// Returns the same errors as [`print()`].
pub(crate) fn print_drawn(text: &str) -> CommandResult {
    let mut output = std::io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Outcome::Done),
    }
}

/// Writes a line to stderr, with the same replacements as [`print()`]. A lost message does not end
/// the command, so errors are ignored.
pub(crate) fn tell(line: impl Display) {
    let line = line.to_string() + "\n";
    _ = std::io::stderr().write_all(text::escape_for_terminal(&line).as_bytes());
}

/// Replaces the current line of the terminal at stderr by `text`. Errors are ignored as by
/// [`tell`].
pub(crate) fn replace_line(text: impl Display) {
    _ = write!(std::io::stderr(), "\r{text}\x1b[K");
}

/// Writes a value as indented JSON, made by [`PrintedResult::json`].
///
/// # Errors
/// Returns the same errors as [`print()`].
pub(crate) fn print_json(value: &impl serde::Serialize) -> CommandResult {
    print_drawn(&PrintedResult::json(value)?.into_text())
}

/// Prints `value` as JSON if `is_json` is true, otherwise `text`.
///
/// # Errors
/// Returns the same errors as [`print()`].
pub(crate) fn print_as(
    is_json: bool,
    value: &impl serde::Serialize,
    text: impl FnOnce() -> String,
) -> CommandResult {
    if is_json {
        print_json(value)
    } else {
        print(&text())
    }
}

/// Writes `text` to a file, or to stdout for `None`.
///
/// # Errors
/// Returns an error if the file or stdout cannot be written.
pub(crate) fn write(path: Option<&Path>, text: &str) -> CommandResult {
    match path {
        Some(path) => files::write(path, text).at(path)?,
        None => return print(text),
    }
    Ok(Outcome::Done)
}

/// Writes a page or another text to a file and prints the path of the file.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(crate) fn write_page(path: &Path, text: &str) -> anyhow::Result<()> {
    write(Some(path), text)?;
    tell(format_args!("{}: written", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned_by_display_width() {
        let rows = [
            ["ハッタリ", "a bluff"],
            ["大貧民2", "a game"],
            ["ﾎﾟ-カ-é", "half"],
            ["a", ""],
        ];
        assert_eq!(
            table(["NAME", "WHAT"], rows.map(|row| row.map(str::to_owned))),
            "NAME      WHAT\nハッタリ  a bluff\n大貧民2   a game\nﾎﾟ-カ-é   half\na\n"
        );
    }
}
