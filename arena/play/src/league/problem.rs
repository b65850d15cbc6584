//! What is wrong with a league, told so that its author can mend it.

use super::yaml::Place;
use std::fmt;
use std::path::PathBuf;

/// Characters of a line that are quoted.
const LINE_MAX: usize = 300;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where; `None` where the file as a whole is meant.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What would be right, or how to get there.
    pub cure: String,
}

/// Everything that is wrong with a league file.
#[derive(Clone, Debug)]
pub struct LeagueError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, by place.
    pub problems: Vec<Problem>,
    /// Lines that the problems stand in, in the order of the problems.
    lines: Vec<Option<String>>,
    /// The operation that fails because of them.
    headline: &'static str,
}

impl LeagueError {
    /// Problems of the league at `path`, whose text is `text` (empty where it could not be read).
    #[must_use]
    pub fn new(path: PathBuf, text: &str, mut problems: Vec<Problem>) -> LeagueError {
        problems.sort_by_key(|problem| problem.place);
        let line = |problem: &Problem| {
            let line = text.lines().nth(problem.place?.line.checked_sub(1)?)?;
            let line = line.trim_end();
            let cut = line
                .char_indices()
                .nth(LINE_MAX)
                .map(|(end, _)| format!("{}…", &line[..end]));
            (!line.is_empty()).then(|| cut.unwrap_or_else(|| line.to_owned()))
        };
        let lines = problems.iter().map(line).collect();
        LeagueError {
            path,
            problems,
            lines,
            headline: "cannot read the league",
        }
    }

    /// The same problems, of a league that can be read and not be played.
    #[must_use]
    pub fn in_play(self) -> LeagueError {
        LeagueError {
            headline: "the league cannot be played",
            ..self
        }
    }
}

impl fmt::Display for LeagueError {
    /// `file:line:column: message`, the line itself, and the cure; problem after problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.problems.len() {
            1 => writeln!(f, "{}", self.headline)?,
            n => writeln!(f, "{}: {n} problems", self.headline)?,
        }
        for (problem, line) in self.problems.iter().zip(&self.lines) {
            match problem.place {
                Some(Place { line, column }) => {
                    write!(f, "\n{path}:{line}:{column}: {}", problem.message)?
                }
                None => write!(f, "\n{path}: {}", problem.message)?,
            }
            if let Some(line) = line {
                write!(f, "\n    | {line}")?;
            }
            write!(f, "\n    = {}", problem.cure)?;
        }
        Ok(())
    }
}

impl std::error::Error for LeagueError {}
