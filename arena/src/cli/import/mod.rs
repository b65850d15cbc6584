//! `hattari import`.

use super::group::group;
use super::{CommandResult, Outcome, output};
use anyhow::{anyhow, ensure};
use hattari_agents::files;
use hattari_agents::text::{counted, grouped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, stdin};
use std::path::Path;

/// Maximum size of an input file, in bytes. The limit allows for some million hands.
const FILE_BYTES_MAX: u64 = 1 << 30;

group! {
    /// Import games of other programs and check them against the rules
    { phh, acpc }
}

/// The result of importing files.
#[derive(Default, Serialize)]
struct ImportResult {
    hands: usize,
    decisions: usize,
    /// Numbers of hands that could not be replayed, by reason.
    refused: BTreeMap<Refusal, usize>,
    /// Number of hands and lines that differ, without the refused hands.
    difference_count: usize,
    /// The first refused hands and differences.
    differences: Vec<Difference>,
}

/// The reason why a hand could not be replayed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
struct Refusal {
    /// Key of the reason in the JSON output.
    key: &'static str,
    /// The reason as text.
    #[serde(skip)]
    text: &'static str,
}

/// A recorded hand that differs from its replay by the rules.
#[derive(Serialize)]
struct Difference {
    file: String,
    /// Line number in the file, from 1.
    line: usize,
    /// Number of the hand in the file, if its hands are numbered.
    hand: Option<u64>,
    what: String,
}

impl ImportResult {
    /// Counts a difference, or a hand that was refused for a reason. Stores it if fewer than `max`
    /// are stored.
    fn add_difference(&mut self, max: usize, refused: Option<Refusal>, difference: Difference) {
        *match refused {
            Some(reason) => self.refused.entry(reason).or_default(),
            None => &mut self.difference_count,
        } += 1;
        if self.differences.len() < max {
            self.differences.push(difference);
        }
    }

    /// Returns the number of refused hands.
    fn refused_count(&self) -> usize {
        self.refused.values().sum()
    }
}

/// Prints the result of an import.
fn print_result(imported: &ImportResult, json: bool) -> CommandResult {
    output::print_as(json, imported, || text(imported))?;
    let is_found = imported.difference_count + imported.refused_count() > 0;
    Ok(Outcome::of_search(is_found))
}

/// Reads stdin, or a file of at most [`FILE_BYTES_MAX`] bytes.
fn read(path: &Path) -> anyhow::Result<String> {
    if path.as_os_str() != "-" {
        return files::read_text(path, FILE_BYTES_MAX).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => anyhow!("{error}: split it into several files"),
            _ => error.into(),
        });
    }
    let mut text = String::new();
    stdin().take(FILE_BYTES_MAX + 1).read_to_string(&mut text)?;
    ensure!(
        text.len() as u64 <= FILE_BYTES_MAX,
        "the input has more than {} bytes: split it into several files",
        grouped(FILE_BYTES_MAX)
    );
    Ok(text)
}

fn text(imported: &ImportResult) -> String {
    let mut text = String::new();
    for Difference {
        file,
        line,
        hand,
        what,
    } in &imported.differences
    {
        let hand = hand
            .map(|hand| format!("hand {hand}: "))
            .unwrap_or_default();
        text += &format!("{file}:{line}: {hand}{what}\n");
    }
    let refused = imported.refused_count();
    let more = imported.difference_count + refused - imported.differences.len();
    if more > 0 {
        text += &format!("... and {} more (--max)\n", grouped(more as u64));
    }
    for (reason, &hands) in &imported.refused {
        let hands = counted(hands as u64, "hand");
        text += &format!("refused ({}): {hands}\n", reason.text);
    }
    let (hands, decisions) = (imported.hands as u64, imported.decisions as u64);
    let differences = imported.difference_count as u64;
    let refused = if refused == 0 {
        String::new()
    } else {
        format!("{} refused, ", grouped(refused as u64))
    };
    text + &format!(
        "{}, {}, {refused}{}\n",
        counted(hands, "hand"),
        counted(decisions, "decision"),
        counted(differences, "difference")
    )
}
