//! Who meets whom: a format is a file of this folder and a line of the list below.

mod course;
mod reader;
mod rounds;
mod seating;

pub use course::{Course, Imagined, Meeting, Results, Round, Standing};

use super::League;
use super::fields::Reader;
use super::mapping::Mapping;
use super::yaml::{Node, Value};
use hattari_agents::text::{counted, grouped};
use rounds::Rounds;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What a league asks of a format. Lists of names hold entrants; one may come several times, each
/// time on a seat of its own.
trait Meetings {
    /// How many line-ups it makes, at most where it decides as it goes.
    ///
    /// # Errors
    /// Why there are none, or too many to go through, and what would help.
    fn count(&self, league: &League) -> Result<u64, (String, &'static str)>;
    /// The format as one that plays in rounds; `None` where line-ups are fixed, or it makes its
    /// course by itself.
    fn in_rounds(&self) -> Option<&dyn InRounds> {
        None
    }
    /// The line-ups in their order, entrants by number; those of the first round, where later ones
    /// hang on results.
    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let first =
            |format: &dyn InRounds| Rounds::first(league, |rounds| format.decide(league, rounds));
        self.in_rounds().map_or(Vec::new(), first)
    }
    /// All that it asks for as far as results are known, where it decides as it goes; `None` where
    /// line-ups are fixed.
    fn course(&self, league: &League, results: &dyn Results) -> Option<Course> {
        let format = self.in_rounds()?;
        Some(Rounds::course(league, results, |rounds| {
            format.decide(league, rounds)
        }))
    }
    /// The two sides whose differences it is made to find; `None` where all pairs count alike.
    fn sides(&self) -> Option<(&[String], &[String])> {
        None
    }
    /// In words, as in "each of a with each of b".
    fn words(&self, league: &League) -> String;
}

/// A format that plays in rounds.
trait InRounds {
    /// Plays and closes rounds; `None` where a round is not played in full.
    fn decide(&self, league: &League, rounds: &mut Rounds<'_>) -> Option<()>;
    /// Whether its rounds hang on no result, so that all of them are known before anything is
    /// played.
    fn is_planned(&self) -> bool {
        false
    }
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

        /// Keys of the formats, in the order of their kinds.
        pub(super) const KEYS: &[&Mapping] = &[$(&$file::Keys::MAPPING),*];
        const READERS: &[fn(&Reader<'_>, &Node) -> Option<Format>] =
            &[$(|reader, node| $name::read(reader, $file::Keys::read(reader, node)?).map(Format::$name)),*];

        impl Format {
            fn meetings(&self) -> &dyn Meetings {
                match self {
                    $(Format::$name(format) => format,)*
                }
            }
        }
    };
}

impl Format {
    /// The line-ups of a checked league in their order, entrants by number; those of the first
    /// round, where later ones hang on results.
    ///
    /// # Panics
    /// If it names entrants that the league does not have, which no checked league's does.
    #[must_use]
    pub fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        self.meetings().line_ups(league)
    }

    /// Where a format decides as it goes: all rounds that a checked league asks for as far as
    /// results are known, a pure function of both. `None` where line-ups are fixed.
    ///
    /// # Panics
    /// As [`Format::line_ups`].
    #[must_use]
    pub fn course(&self, league: &League, results: &dyn Results) -> Option<Course> {
        self.meetings().course(league, results)
    }

    /// Whether the rounds of its course hang on no result: with any results it asks for the same.
    #[must_use]
    pub fn is_planned(&self) -> bool {
        self.meetings()
            .in_rounds()
            .is_some_and(|format| format.is_planned())
    }

    /// Returns the two sides whose differences the format is made to find; `None` where all pairs
    /// count alike.
    #[must_use]
    pub fn sides(&self) -> Option<(&[String], &[String])> {
        self.meetings().sides()
    }

    /// Who meets whom in words, as in "each of a with each of b".
    #[must_use]
    pub fn words(&self, league: &League) -> String {
        self.meetings().words(league)
    }
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

/// Returns the kinds that a league's file may name.
pub(super) fn kinds() -> Vec<&'static str> {
    KEYS.iter().filter_map(|keys| keys.kind).collect()
}

/// Returns the schema of the key `format`.
pub(super) fn schema() -> Json {
    let one = |keys: &&Mapping| json!({"if": {"properties": {"kind": {"const": keys.kind}}, "required": ["kind"]}, "then": keys.schema()});
    json!({
        "type": "object", "properties": {"kind": {"enum": kinds()}}, "required": ["kind"],
        "allOf": KEYS.iter().map(one).collect::<Vec<_>>(),
    })
}

/// Reads the format of a league.
pub(super) fn read(reader: &Reader<'_>, node: &Node) -> Option<Format> {
    if !matches!(node.value, Value::Map(_)) {
        let cure = "give a mapping, as in `format: {kind: line-ups, size: 5}`";
        reader.problem(node, format!("`format`: found {}", node.describe()), cure);
        return None;
    }
    let Some(kind) = node.get("kind") else {
        let kinds: Vec<String> = kinds()
            .iter()
            .map(|kind| format!("`kind: {kind}`"))
            .collect();
        let (last, others) = kinds.split_last().expect("there are formats");
        let cure = format!("add {} or {last}", others.join(", "));
        reader.problem(node, "`format` lacks the key `kind`", cure);
        return None;
    };
    READERS[reader.word(kind, "kind", &kinds())?](reader, node)
}

/// Whether a league's size can be handled: line-ups to be had at all, and not too many of them.
///
/// # Errors
/// What is too much or too little, and what would help.
pub fn check_size(league: &League) -> Result<(), (String, &'static str)> {
    const SMALLER: &str =
        "take fewer entrants or blocks, or add `sample: 200` to a format of line-ups";
    let line_ups = league.format.meetings().count(league)?;
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
