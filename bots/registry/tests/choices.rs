//! Tests that a change in a built-in bot's choices also changes its version, because stores
//! identify built-in bots by their versions. `choices.txt` contains digests of all choices of each
//! bot in 2,000 games of every preset of its game.
//!
//! Digests only depend on choices (action and amount). They are the same on all machines on which
//! bots make the same choices.
//!
//! There are four kinds of blocks: the bot in all seats or in one seat, at the smallest and at a
//! larger table. The other seats are played by the host's random reference bot. If a bot rejects a
//! table, the rejection is part of the digest.

use hattari_agents::agent::built_in::{self, BuiltIn};
use hattari_agents::agent::plugin::PluginBot;
use hattari_agents::agent::{Agent, AgentError, AgentFactory, BotInfo, Call};
use hattari_agents::games::GameInfo;
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{self, BlockObserver, BlockPlan, ObserverDetail};
use hattari_plugin::Choice;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};
use xxhash_rust::xxh3::Xxh3;

/// Number of games for each bot and preset.
const GAMES: u32 = 2000;
/// Number of kinds of blocks, played in turn.
const KINDS: u32 = 4;
/// Maximum number of seats at the larger table.
const SEATS_MAX: usize = 5;
/// Seed of all games.
const SEED: u64 = 2007;

/// Returns settings for bots whose 2,000 games take too long in the dev profile. `cargo test` plays
/// only the first 20 games with them; the nightly test plays all. Bots that sample get fewer
/// samples, which run the same code.
fn costly(game: &str, bot: &str) -> Option<Value> {
    let reasoning = |cheap: bool| json!({"samples": 2, "solves_from": 6, "cheap": cheap});
    match (game, bot) {
        ("daihinmin", "mc-random") => Some(json!({"playouts": 10})),
        ("daihinmin", "mc-estimate" | "hattari") => Some(json!({"playouts": 10, "weighed": 10})),
        ("daihinmin", "policy")
        | ("holdem", "honest" | "small-bluff" | "small-bluff-published" | "exploiter") => {
            Some(json!({}))
        }
        ("bridge", "pimc") => Some(json!({"samples": 2, "solves_from": 6})),
        ("bridge", "virtual-worlds" | "virtual-worlds-deep") => {
            Some(json!({"candidates": 2, "own": reasoning(false), "opponents": reasoning(true)}))
        }
        _ => None,
    }
}

/// A bot with a preset of its game.
struct Case {
    facts: &'static GameInfo,
    preset: &'static str,
    bots: BuiltIn,
    info: &'static BotInfo,
}

/// The fields that identify a line of the golden file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    game: String,
    preset: String,
    bot: String,
}

/// The other fields of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Recorded {
    /// Declared version of the bot. Stores identify the bot by this and the generation of the
    /// rules.
    version: String,
    generation: u32,
    /// Digests after the first games and after all.
    first: Digest,
    all: Digest,
}

/// A digest of the choices in a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digest {
    games: u32,
    choices: u64,
    hash: u64,
}

impl Display for Digest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:016x}", self.games, self.choices, self.hash)
    }
}

/// An observer of the choices of a bot's seats.
struct Ear {
    /// The bot plays in the places before this one.
    places: usize,
    hash: Xxh3,
    choices: u64,
}

impl BlockObserver for Ear {
    fn detail(&self) -> ObserverDetail {
        ObserverDetail::Answers
    }

    fn answered(
        &mut self,
        entrant: usize,
        call: Call,
        answer: Result<Option<&Choice>, &AgentError>,
    ) {
        if self.places <= entrant || call == Call::ForcedDecision {
            return;
        }
        match answer {
            Ok(Some(choice)) => {
                self.choices += 1;
                self.hash.update(&[0, u8::try_from(entrant).unwrap()]);
                self.hash
                    .update(&u32::try_from(choice.action).unwrap().to_le_bytes());
                self.hash.update(&choice.amount.to_le_bytes());
            }
            Ok(None) => {}
            Err(agent_error) => self
                .hash
                .update(format!("{:?}", agent_error.kind).as_bytes()),
        }
    }
}

impl Case {
    /// Returns every built-in bot with every preset of its game.
    fn all() -> Vec<Case> {
        hattari_bots::ALL
            .iter()
            .for_each(|bots| built_in::add(bots));
        let mut cases = Vec::new();
        for bots in built_in::all() {
            let bots = bots.unwrap();
            for info in bots.library.bots() {
                let facts = GameInfo::find(&info.games[0]).unwrap();
                cases.extend(facts.presets.iter().map(|&preset| Case {
                    facts,
                    preset,
                    bots,
                    info,
                }));
            }
        }
        cases
    }

    fn key(&self) -> Key {
        Key {
            game: self.facts.name().into(),
            preset: self.preset.into(),
            bot: self.info.id.clone(),
        }
    }

    fn config(&self) -> Option<Value> {
        costly(self.facts.name(), &self.info.id)
    }

    /// Returns the number of games for the first digest.
    fn first(&self) -> u32 {
        if self.config().is_some() { 20 } else { 200 }
    }

    /// Plays `games` games and returns the digests after the first games and after the last.
    fn play(&self, games: u32) -> (Digest, Digest) {
        let rules = self.facts.apply_overrides(self.preset, &[]).unwrap();
        let game = table::game(self.facts.id, &rules.options).unwrap();
        let (least, most) = rules.players;
        let config = self.config().unwrap_or_else(|| json!({})).to_string();
        let bot = PluginBot::new(self.bots.library, &self.info.id).unwrap();
        let open = |own: bool| {
            if own {
                bot.open(&config).unwrap()
            } else {
                game.random()
            }
        };
        let mut tables: Vec<(usize, Vec<Box<dyn Agent>>)> = (0..KINDS as usize)
            .map(|kind| {
                let seats = if kind < 2 {
                    least
                } else {
                    SEATS_MAX.clamp(least, most)
                };
                let own = if kind % 2 == 0 { seats } else { 1 };
                (own, (0..seats).map(|seat| open(seat < own)).collect())
            })
            .collect();
        let mut ear = Ear {
            places: 0,
            hash: Xxh3::new(),
            choices: 0,
        };
        let digest = |games: u32, ear: &Ear| Digest {
            games,
            choices: ear.choices,
            hash: ear.hash.digest(),
        };
        let deals = self.first() / KINDS;
        let chance = LineUpSeeds::new(SEED);
        let mut first = None;
        let mut table = game.table();
        for block in 0..games / deals {
            let (own, agents) = &mut tables[(block % KINDS) as usize];
            ear.places = *own;
            let plan = BlockPlan {
                deals,
                luck: false,
                ..BlockPlan::default()
            };
            table
                .play_block(JobId { line_up: 0, block }, plan, &chance, agents, &mut ear)
                .unwrap();
            if (block + 1) * deals == self.first() {
                first = Some(digest(self.first(), &ear));
            }
        }
        (first.unwrap(), digest(games, &ear))
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Reads the golden file.
fn recorded() -> BTreeMap<Key, Recorded> {
    let text = fs::read_to_string(path("tests/choices.txt")).unwrap_or_default();
    let line = |line: &str| {
        let word = |number: usize| {
            line.split(' ')
                .nth(number)
                .unwrap_or_else(|| panic!("choices.txt: `{line}`"))
        };
        let digest = |at: usize| Digest {
            games: word(at).parse().unwrap(),
            choices: word(at + 1).parse().unwrap(),
            hash: u64::from_str_radix(word(at + 2), 16).unwrap(),
        };
        let key = Key {
            game: word(0).into(),
            preset: word(1).into(),
            bot: word(2).into(),
        };
        let (version, generation) = (word(3).to_owned(), word(4).parse().unwrap());
        (
            key,
            Recorded {
                version,
                generation,
                first: digest(5),
                all: digest(8),
            },
        )
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(line)
        .collect()
}

fn write(recorded: &BTreeMap<Key, Recorded>) {
    let mut text = String::from(
        "# Digests of the choices of built-in bots (see choices.rs).\n\
         # GAME PRESET BOT VERSION GENERATION-OF-RULES, then twice GAMES CHOICES DIGEST\n",
    );
    for (
        Key { game, preset, bot },
        Recorded {
            version,
            generation,
            first,
            all,
        },
    ) in recorded
    {
        text += &format!("{game} {preset} {bot} {version} {generation} {first} {all}\n");
    }
    fs::write(path("tests/choices.txt"), text).unwrap();
}

/// Returns the path of the source file that declares a bot, relative to the project.
fn source(game: &str, bot: &str) -> String {
    let folder = format!("bots/{game}/src/bots");
    let files = fs::read_dir(path("../..").join(&folder))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let declares = |file: &PathBuf| {
        fs::read_to_string(file)
            .unwrap()
            .contains(&format!("\"{bot}\""))
    };
    let mut found = files
        .filter(declares)
        .map(|file| format!("{folder}/{}", file.file_name().unwrap().display()));
    found.next().unwrap_or(folder)
}

/// Compares the bots' choices with the golden file, or rewrites it with `UPDATE=1`. If `are_long`
/// is true, slow bots play all games as well.
fn compare(test: &str, are_long: bool) {
    let (cases, old, update) = (Case::all(), recorded(), env::var_os("UPDATE").is_some());
    let (next, results) = (
        AtomicUsize::new(0),
        Mutex::new((BTreeMap::new(), Vec::new())),
    );
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (key, known) = (case.key(), old.get(&case.key()));
            let (version, generation) = (case.info.version.clone(), case.facts.generation);
            let is_known = known
                .is_some_and(|known| (&known.version, known.generation) == (&version, generation));
            let is_costly = case.config().is_some();
            if are_long && !is_costly {
                continue;
            }
            let is_whole = are_long || !is_costly || (update && !is_known);
            let (first, last) = case.play(if is_whole { GAMES } else { case.first() });
            let differs =
                known.is_none_or(|known| first != known.first || (is_whole && last != known.all));
            let Key { game, preset, bot } = &key;
            let problem = match (is_known, update) {
                (true, _) if differs => Some(format!(
                    "bot `{bot}` plays differently in {game} {preset}: raise its version ({}), or GENERATION of the game where its rules or deals \
                     have changed",
                    source(game, bot)
                )),
                (false, false) => Some(format!(
                    "bot `{bot}` {version} in {game} {preset} is not recorded"
                )),
                _ => None,
            };
            let mut results = results.lock().unwrap();
            results.1.extend(problem);
            if !is_known {
                results.0.insert(
                    key,
                    Recorded {
                        version,
                        generation,
                        first,
                        all: last,
                    },
                );
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let (new, mut problems) = results.into_inner().unwrap();
    let exists = |key: &Key| cases.iter().any(|case| case.key() == *key);
    if update {
        let kept = old
            .into_iter()
            .filter(|(key, _)| exists(key) && !new.contains_key(key));
        write(&kept.chain(new.clone()).collect());
    } else {
        let gone = old.keys().filter(|key| !exists(key));
        problems.extend(gone.map(|Key { game, preset, bot }| {
            format!("there is no bot `{bot}` in {game} {preset}")
        }));
    }
    problems.sort();
    let command =
        format!("UPDATE=1 cargo test -p hattari-bots --test choices {test} -- --include-ignored");
    assert!(
        problems.is_empty(),
        "{}\nthen record by\n  {command}\nwhich keeps what is recorded of a version",
        problems.join("\n")
    );
}

#[test]
fn built_in_bots_choose_the_recorded_actions_of_their_version() {
    compare("built_in_bots_choose", false);
}

#[test]
#[ignore = "long: minutes"]
fn nightly_costly_bots_choose_the_recorded_actions_of_their_version() {
    compare("nightly_costly_bots", true);
}
