//! Tournament formats. Each format has a file in this folder and an entry in the list below.

mod reader;
mod round_builder;
mod round_schedule;
mod seating;

use round_builder::RoundBuilder;
pub(crate) use round_schedule::{AssumedResults, Results};
pub use round_schedule::{Pairing, RoundSchedule};

use super::League;
use super::fields::Reader;
use super::mapping::Mapping;
use super::problem::Problem;
use super::yaml::Node;
use hattari_agents::text::{counted, grouped, joined};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashSet};

/// The rules of a tournament format. An entrant may occur several times in a list of names, once
/// per seat. The functions expect a checked league with all entrants that the format names.
pub trait TournamentFormat {
    /// Returns the number of line-ups; an upper bound for formats that play in rounds.
    ///
    /// # Errors
    /// Returns an error if there are no line-ups, or too many.
    fn count(&self, league: &League) -> Result<u64, Problem>;
    /// Returns the line-ups in order, as indices of entrants; empty if the format plays in rounds.
    fn line_ups(&self, _: &League) -> Vec<Vec<usize>> {
        Vec::new()
    }
    /// Plays and closes rounds until the tournament ends. Returns `None` at the first round with
    /// missing results. A format with fixed line-ups has no rounds.
    fn decide(&self, _: &League, _: &mut RoundBuilder<'_>) -> Option<()> {
        None
    }
    /// Returns all rounds that follow from `results`; `None` if line-ups are fixed. The rounds are
    /// a pure function of both arguments.
    fn round_schedule(&self, league: &League, results: &dyn Results) -> Option<RoundSchedule> {
        RoundBuilder::build(league, results, |rounds| self.decide(league, rounds))
    }
    /// Returns `true` if there are rounds that do not depend on results, so that all are known in
    /// advance.
    fn is_planned(&self) -> bool {
        false
    }
    /// Returns the maximum number of different entrants at a table.
    fn entrants_per_table(&self) -> usize;
    /// Returns the two sides that the format compares; `None` if all pairs of entrants are equally
    /// important.
    fn sides(&self) -> Option<(&[String], &[String])> {
        None
    }
    /// Returns the challengers, and the field that fills the other seats of their tables; `None` if
    /// all entrants play under the same conditions.
    fn challengers(&self) -> Option<(&[String], &[String])> {
        None
    }
    /// Returns the entrants that the format names, so that some of them can be removed.
    fn named_entrants(&mut self) -> NamedEntrants<'_>;
    /// Describes the pairings, for example "each of a with each of b".
    fn description(&self, league: &League) -> String;
}

/// The entrants that a format names.
#[derive(Default)]
pub struct NamedEntrants<'f> {
    /// Number of players at a table; `None` if the lists name the players of every table.
    pub table_size: Option<usize>,
    /// Entrants that play at every table and cannot be removed.
    pub field: &'f [String],
    /// Lists that must not become empty.
    pub lists: Vec<&'f mut Vec<String>>,
    /// Rounds in which entrants join or leave.
    pub rounds: Vec<&'f mut BTreeMap<String, u32>>,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $file:ident::$name:ident,)*) => {
        $(mod $file; pub use $file::$name;)*

        /// A tournament format.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum Format {
            $($(#[$doc])* $name($name),)*
        }

        /// Keys of the formats, in the order of the variants.
        pub(super) const KEYS: &[&Mapping] = &[$(&$file::Keys::MAPPING),*];
        const READERS: &[fn(&Reader<'_>, &Node) -> Option<Format>] =
            &[$(|reader, node| $name::read(reader, $file::Keys::read(reader, node)?).map(Format::$name)),*];

        impl std::ops::Deref for Format {
            type Target = dyn TournamentFormat;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Format::$name(format) => format,)*
                }
            }
        }

        impl std::ops::DerefMut for Format {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $(Format::$name(format) => format,)*
                }
            }
        }
    };
}

formats! {
    /// All line-ups of a given number of different entrants.
    line_ups::LineUps,
    /// Every entrant of one side against every entrant of the other, at a table with the same
    /// field.
    duel::Duel,
    /// Every entrant of one side against every entrant of the other, as pairs of partners at a
    /// table of four.
    pairs::Pairs,
    /// Every challenger against the same field (gauntlet).
    challenge::Challenge,
    /// Rounds at tables of entrants with similar points.
    swiss::Swiss,
    /// Single or double elimination.
    knockout::Knockout,
    /// A ladder that new entrants climb from the bottom.
    ladder::Ladder,
    /// All entrants meet each other, in rounds.
    round_robin::RoundRobin,
    /// Challengers against the same field, until the goal is decided.
    race::Race,
}

/// Maximum number of line-ups of a league.
pub(super) const LINE_UPS_MAX: u64 = 1_000_000;
/// Maximum number of jobs of a league.
pub(super) const JOBS_MAX: u64 = 100_000_000;

/// Returns the values of the key `kind` of a format.
pub(super) fn kinds() -> Vec<&'static str> {
    KEYS.iter().filter_map(|keys| keys.kind).collect()
}

/// Returns the schema of the key `format`.
pub(super) fn schema() -> Json {
    let keys_of_kind = |keys: &&Mapping| json!({"if": {"properties": {"kind": {"const": keys.kind}}, "required": ["kind"]}, "then": keys.schema()});
    json!({
        "type": "object", "properties": {"kind": {"enum": kinds()}}, "required": ["kind"],
        "allOf": KEYS.iter().map(keys_of_kind).collect::<Vec<_>>(),
    })
}

/// Reads the format of a league.
pub(super) fn read(reader: &Reader<'_>, node: &Node) -> Option<Format> {
    reader.map(
        node,
        "format",
        "a mapping, as in `format: {kind: line-ups, size: 5}`",
    )?;
    let Some(kind) = node.get("kind") else {
        let kinds: Vec<String> = kinds()
            .iter()
            .map(|kind| format!("`kind: {kind}`"))
            .collect();
        let (last, others) = kinds
            .split_last()
            .expect("the list of formats is not empty");
        reader.problem(
            node,
            "`format` lacks the key `kind`",
            format!("add {} or {last}", others.join(", ")),
        );
        return None;
    };
    READERS[reader.keyword(kind, "kind", &kinds())?](reader, node)
}

/// Checks that a league has line-ups, and not too many of them.
///
/// # Errors
/// Returns an error if there are no line-ups, or if a limit is exceeded.
pub(super) fn check_size(league: &League) -> Result<(), Problem> {
    let line_ups = league.format.count(league)?;
    let jobs = line_ups.saturating_mul(u64::from(league.blocks));
    let all = counted(line_ups, "line-up");
    let message = if line_ups > LINE_UPS_MAX {
        let most = grouped(LINE_UPS_MAX);
        format!("{all} are too many; a league can have at most {most}")
    } else if jobs > JOBS_MAX {
        let (each, most) = (counted(league.blocks.into(), "block"), grouped(JOBS_MAX));
        format!("{all} of {each} each are too many; a league can have at most {most} blocks")
    } else {
        return Ok(());
    };
    Err(Problem::of_file(
        message,
        "use fewer entrants or blocks, or add `sample: 200` to a format of line-ups",
    ))
}

/// Returns the number of different names.
fn different(names: &[String]) -> usize {
    names.iter().collect::<HashSet<_>>().len()
}

/// Returns the indices of the entrants with these names.
fn indices(league: &League, names: &[String]) -> Vec<usize> {
    names
        .iter()
        .map(|name| league.entrant(name))
        .collect::<Option<_>>()
        .expect("a checked league contains its entrants")
}

/// Joins names; repeated names get a factor, for example `2 × base`.
fn join_names(names: &[String]) -> String {
    let numbered = names.iter().enumerate();
    let distinct = numbered.filter(|(index, name)| !names[..*index].contains(name));
    let texts =
        distinct.map(
            |(_, name)| match names.iter().filter(|other| *other == name).count() {
                1 => name.clone(),
                times => format!("{times} × {name}"),
            },
        );
    joined(texts, ", ")
}

#[cfg(test)]
mod tests;
