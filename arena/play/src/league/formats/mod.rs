//! Who meets whom: a format is a file of this folder and a line of the list below.

mod course;
mod reader;
mod rounds;
mod seating;

pub use course::{Course, Imagined, Meeting, Results, Round, Standing};
pub(super) use reader::FormatReader;

use super::League;
use super::fields::{Fields, Reader};
use super::yaml::{Node, Value};
use hattari_agents::text::{counted, grouped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a league asks of a format. Lists of names hold entrants; one may come several times, each
/// time on a seat of its own.
pub(super) trait Meetings: Sized {
    /// Its `kind` in a league's file.
    const KIND: &'static str;
    /// Reads it from its mapping; notes what is wrong with it.
    fn read(reader: &FormatReader<'_>, node: &Node) -> Option<Self>;
    /// How many line-ups it makes, at most where it decides as it goes.
    ///
    /// # Errors
    /// Why there are none, or too many to go through, and what would help.
    fn count(&self, league: &League) -> Result<u64, (String, &'static str)>;
    /// The line-ups in their order, entrants by number; those of the first round, where later ones
    /// hang on results.
    fn line_ups(&self, league: &League) -> Vec<Vec<usize>>;
    /// All that it asks for as far as results are known, where it decides as it goes; `None` where
    /// line-ups are fixed.
    fn course(&self, _league: &League, _results: &dyn Results) -> Option<Course> {
        None
    }
    /// Whether its rounds hang on no result, so that all of them are known before anything is
    /// played.
    fn is_planned(&self) -> bool {
        false
    }
    /// The two sides whose differences it is made to find; `None` where all pairs count alike.
    fn sides(&self) -> Option<(&[String], &[String])> {
        None
    }
    /// In words, as in "each of a with each of b".
    fn words(&self, league: &League) -> String;
}

macro_rules! formats {
    ($($(#[$doc:meta])* $file:ident::$name:ident,)*) => {
        $(mod $file; pub use $file::$name;)*

        /// Who meets whom.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum Format {
            $($(#[$doc])* $name($name),)*
        }

        /// The kinds that a league's file may name.
        pub(super) const KINDS: &[&str] = &[$($name::KIND),*];

        impl Format {
            fn read_kind(kind: usize, reader: &FormatReader<'_>, node: &Node) -> Option<Format> {
                let readers: &[fn(&FormatReader<'_>, &Node) -> Option<Format>] =
                    &[$(|reader, node| $name::read(reader, node).map(Format::$name)),*];
                readers[kind](reader, node)
            }

            fn count(&self, league: &League) -> Result<u64, (String, &'static str)> {
                match self {
                    $(Format::$name(format) => format.count(league),)*
                }
            }

            /// The line-ups of a checked league in their order, entrants by number; those of the first round, where later ones
            /// hang on results.
            ///
            /// # Panics
            /// If it names entrants that the league does not have, which no checked league's does.
            #[must_use]
            pub fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
                match self {
                    $(Format::$name(format) => format.line_ups(league),)*
                }
            }

            /// Where a format decides as it goes: all rounds that a checked league asks for as far as results are known, a pure
            /// function of both. `None` where line-ups are fixed.
            ///
            /// # Panics
            /// As [`Format::line_ups`].
            #[must_use]
            pub fn course(&self, league: &League, results: &dyn Results) -> Option<Course> {
                match self {
                    $(Format::$name(format) => format.course(league, results),)*
                }
            }

            /// Whether the rounds of its course hang on no result: with any results it asks for the same.
            #[must_use]
            pub fn is_planned(&self) -> bool {
                match self {
                    $(Format::$name(format) => format.is_planned(),)*
                }
            }

            /// Returns the two sides whose differences the format is made to find; `None` where all pairs count alike.
            #[must_use]
            pub fn sides(&self) -> Option<(&[String], &[String])> {
                match self {
                    $(Format::$name(format) => format.sides(),)*
                }
            }

            /// Who meets whom in words, as in "each of a with each of b".
            #[must_use]
            pub fn words(&self, league: &League) -> String {
                match self {
                    $(Format::$name(format) => format.words(league),)*
                }
            }
        }
    };
}

formats! {
    /// Every line-up of so many different entrants.
    line_ups::LineUps,
    /// One side against the other, among the same others.
    duel::Duel,
    /// One side against the other at a table of four, partners opposite each other.
    pairs::Pairs,
    /// Every challenger against the same others.
    challenge::Challenge,
    /// Rounds at tables of equals.
    swiss::Swiss,
    /// Who fails is out, at once or the second time.
    knockout::Knockout,
    /// New entrants play up from below.
    ladder::Ladder,
    /// Everybody meets everybody, in rounds.
    round_robin::RoundRobin,
    /// Challengers in turn against the same others, until it is known who is what is looked for.
    race::Race,
}

/// Most line-ups of a league.
pub(super) const LINE_UPS_MAX: u64 = 1_000_000;
/// Most jobs of a league.
pub(super) const JOBS_MAX: u64 = 100_000_000;

/// The format of a league, from the file's mapping `fields`.
pub(super) fn read_format(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    within: &FormatReader<'_>,
) -> Option<Format> {
    let node = reader.required(
        fields,
        "the league",
        "format",
        "format: {kind: line-ups, size: 5}",
    )?;
    let Value::Map(entries) = &node.value else {
        let cure = "give a mapping, as in `format: {kind: line-ups, size: 5}`";
        reader.problem(node, format!("`format`: found {}", node.describe()), cure);
        return None;
    };
    let kind = entries
        .iter()
        .find(|(key, _)| matches!(&key.value, Value::Text(name) if name == "kind"));
    let Some((_, kind)) = kind else {
        let kinds: Vec<String> = KINDS.iter().map(|kind| format!("`kind: {kind}`")).collect();
        let (last, others) = kinds.split_last().expect("there are formats");
        reader.problem(
            node,
            "`format` lacks the key `kind`",
            format!("add {} or {last}", others.join(", ")),
        );
        return None;
    };
    Format::read_kind(reader.word(kind, "kind", KINDS)?, within, node)
}

/// Whether a league's size can be handled: line-ups to be had at all, and not too many of them.
///
/// # Errors
/// What is too much or too little, and what would help.
pub fn check_size(league: &League) -> Result<(), (String, &'static str)> {
    const SMALLER: &str =
        "take fewer entrants or blocks, or add `sample: 200` to a format of line-ups";
    let line_ups = league.format.count(league)?;
    let jobs = line_ups.saturating_mul(u64::from(league.blocks));
    let all = counted(line_ups, "line-up");
    if LINE_UPS_MAX < line_ups {
        return Err((
            format!(
                "{all} are too many; a league takes {} at most",
                grouped(LINE_UPS_MAX)
            ),
            SMALLER,
        ));
    }
    if JOBS_MAX < jobs {
        let each = counted(league.blocks.into(), "block");
        let message = format!(
            "{all} of {each} each are too many; a league takes {} blocks at most",
            grouped(JOBS_MAX)
        );
        return Err((message, SMALLER));
    }
    Ok(())
}

/// Numbers of entrants by their names.
fn numbers(league: &League, names: &[String]) -> Vec<usize> {
    names
        .iter()
        .map(|name| {
            league
                .entrant(name)
                .expect("a checked league knows its entrants")
        })
        .collect()
}

/// Names, with how often where it is more than once.
fn copies(names: &[String]) -> String {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    names
        .iter()
        .for_each(|name| *times.entry(name).or_default() += 1);
    let mut order: Vec<&str> = Vec::new();
    names.iter().for_each(|name| {
        if !order.contains(&name.as_str()) {
            order.push(name);
        }
    });
    let text = |name: &str| match times[name] {
        1 => name.to_owned(),
        times => format!("{times} × {name}"),
    };
    order.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
