//! Plays a bot through its game and says what is wrong with it. Keeps no records and prints nothing.

mod config;
mod play;
mod speed;

pub use speed::{Place, Speed};

use crate::agent::plugin::Library;
use crate::catalogue::{Found, Kind};
use crate::games::{self, Visit};
use hattari_plugin::games::Game;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What is asked of a check.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Game and revision.
    pub game: String,
    /// Preset of the rules; the game's default without one.
    pub preset: Option<String>,
    /// Config of the bot as JSON.
    pub config_json: String,
    /// Blocks for each line-up.
    pub blocks: u32,
    /// Deals of a block; as many as `time` allows without a number.
    pub deals: Option<u32>,
    /// Time to spend on play, roughly.
    pub time: Duration,
    /// Time for a decision in microseconds, 0 for no limit.
    pub budget_us: i64,
    /// Seed of everything that is played.
    pub seed: u64,
}

/// How one point of a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// Allowed, and worth a look.
    Warning,
    /// Against the contract, or would be a fault in a league.
    Wrong,
}

/// One point of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub point: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// In words; the first line stands alone.
    pub text: String,
}

/// All points of a check, and how fast the bot is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Points in the order of looking.
    pub findings: Vec<Finding>,
    /// Times of decisions; `None` where the bot could not be played.
    pub speed: Option<Speed>,
}

impl Report {
    fn add(&mut self, point: &'static str, verdict: Verdict, text: impl Into<String>) {
        self.findings.push(Finding { point, verdict, text: text.into() });
    }

    /// Findings of that verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }
}

/// Times that an instance is created and destroyed.
const CREATIONS: u32 = 1000;

/// Checks `bot` in one game.
///
/// # Errors
/// A game, preset or option that does not exist. What is wrong with the bot is in the report.
pub fn check(bot: &Found, plan: &Plan) -> anyhow::Result<Report> {
    let mut report = Report::default();
    if bot.kind == Kind::Compiled {
        check_library(bot, &mut report);
    }
    let work = Check { bot, plan, report: &mut report };
    games::visit(&plan.game, work).ok_or_else(|| anyhow::anyhow!("this host has no game `{}`", plan.game))??;
    Ok(report)
}

/// What a library's file and descriptor tell.
fn check_library(bot: &Found, report: &mut Report) {
    let library = match Library::load(&bot.path) {
        Ok(library) => library,
        Err(error) => return report.add("library", Verdict::Wrong, error.to_string()),
    };
    let image = library.image();
    let version = format!("C interface {}.{}", image.abi_major, image.abi_minor);
    let entry = hattari_plugin::abi::ENTRY_SYMBOL.to_string_lossy();
    let others: Vec<&str> = image.exports.iter().map(String::as_str).filter(|name| *name != entry).collect();
    if others.is_empty() {
        report.add("library", Verdict::Ok, format!("{version}, exports {entry} alone"));
    } else {
        let (count, some) = (others.len(), others.iter().take(4).copied().collect::<Vec<_>>().join(", "));
        let cure = "make them static or compile with -fvisibility=hidden";
        report.add("library", Verdict::Warning, format!("{version}; exports {count} more symbols ({some}); {cure}"));
    }
    let (id, version) = (&bot.name, &bot.version);
    if bot.description.is_empty() {
        report.add("descriptor", Verdict::Warning, format!("{id} {version} has no description"));
    } else {
        report.add("descriptor", Verdict::Ok, format!("{id} {version}, plays {}", bot.games.join(", ")));
    }
}

/// The part of a check that needs the rules.
struct Check<'a> {
    bot: &'a Found,
    plan: &'a Plan,
    report: &'a mut Report,
}

impl Visit for Check<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self) -> anyhow::Result<()> {
        let Check { bot, plan, report } = self;
        let options = match &plan.preset {
            None => G::Options::default(),
            Some(name) => G::preset(name).ok_or_else(|| {
                anyhow::anyhow!("{} has no preset `{name}`; it has {}", G::ID, G::presets().join(", "))
            })?,
        };
        let game = G::new(options).map_err(|error| anyhow::anyhow!("options of {}: {error}", G::ID))?;
        let seatable = match bot.seat() {
            Ok(seatable) => seatable,
            Err(misstep) => {
                report.add("load", Verdict::Wrong, misstep.message);
                return Ok(());
            }
        };
        let start = Instant::now();
        for number in 0..CREATIONS {
            if let Err(misstep) = seatable.open(&plan.config_json) {
                let before = if number == 0 { String::new() } else { format!("after {number} times: ") };
                report.add("create", Verdict::Wrong, before + &misstep.message);
                return Ok(());
            }
        }
        let each = start.elapsed() / CREATIONS;
        report.add("create", Verdict::Ok, format!("created and destroyed {CREATIONS} times, {each:.1?} each"));
        config::check_configs(bot, &*seatable, report);
        play::check_play(&game, &*seatable, bot.nondeterministic, plan, report);
        Ok(())
    }
}
