//! The list of games, and the way from a game's name to its rules.

use hattari_plugin::games::Game;
use serde_json::Value;

/// Work that is done for one game, whichever it is.
pub trait Visit {
    /// What comes of it.
    type Output;
    /// Does it for `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// One line a game: a new one is added here and nowhere else in the host.
macro_rules! games {
    ($($(#[$attribute:meta])* $game:ty,)*) => {
        /// Facts of every game.
        #[must_use]
        pub fn all() -> Vec<Facts> {
            vec![$($(#[$attribute])* Facts::of::<$game>(),)*]
        }

        /// Does `work` for the game of that name (with or without its revision), `None` if there is no such game.
        pub fn visit<V: Visit>(name: &str, work: V) -> Option<V::Output> {
            $($(#[$attribute])* if is_named::<$game>(name) {
                return Some(work.visit::<$game>());
            })*
            None
        }
    };
}

games! {
    hattari_plugin::games::daihinmin::Daihinmin,
    hattari_plugin::games::bridge::Bridge,
    hattari_plugin::games::holdem::Holdem,
    hattari_plugin::games::stud::Stud,
    hattari_plugin::games::tanhinmin::Tanhinmin,
    #[cfg(test)] crate::mock::HighCard,
}

/// A game's name without its revision: `daihinmin` of `daihinmin/1`.
#[must_use]
pub fn bare(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// In how many rotations the game of that name plays a duplicated deal with so many players; 1 where there is no such
/// game.
#[must_use]
pub fn rotations(name: &str, players: usize) -> usize {
    struct Rotations(usize);
    impl Visit for Rotations {
        type Output = usize;
        fn visit<G: Game>(self) -> usize {
            G::rotations(self.0)
        }
    }
    visit(name, Rotations(players)).unwrap_or(1)
}

fn is_named<G: Game>(name: &str) -> bool {
    name == G::ID || name == bare(G::ID)
}

/// What a league has to know of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Name and revision.
    pub id: &'static str,
    /// Fewest and most players of a table.
    pub players: (usize, usize),
    /// Names of the presets, the default one first.
    pub presets: &'static [&'static str],
}

impl Facts {
    fn of<G: Game>() -> Facts {
        Facts { id: G::ID, players: G::players(), presets: G::presets() }
    }

    /// The game's name without its revision.
    #[must_use]
    pub fn name(&self) -> &'static str {
        bare(self.id)
    }

    /// Facts of the game of that name, `None` if there is no such game.
    #[must_use]
    pub fn find(name: &str) -> Option<Facts> {
        all().into_iter().find(|facts| facts.id == name || facts.name() == name)
    }
}

/// The game that somebody names, with its revision or without.
///
/// # Errors
/// There is no such game; with those that there are.
pub fn named(name: &str) -> anyhow::Result<Facts> {
    Facts::find(name).ok_or_else(|| {
        let all = all();
        let names: Vec<&str> = all.iter().map(Facts::name).collect();
        anyhow::anyhow!("there is no game `{name}`; {}", crate::text::suggestion(name, "games", names))
    })
}

/// Options of a game as a league has them in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Every option, by name.
    pub options: Value,
    /// Deals of a block where the league does not say.
    pub block_deals: u32,
}

/// What payoffs are told in besides points.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Stake {
    /// Its name, as in `big blind`.
    pub name: &'static str,
    /// How many points it is.
    pub points: i64,
}

/// Finds the stake of a game under its options.
pub struct StakeOf<'a>(pub &'a Value);

impl Visit for StakeOf<'_> {
    type Output = Option<Stake>;

    fn visit<G: Game>(self) -> Self::Output {
        let game = G::new(serde_json::from_value(self.0.clone()).ok()?).ok()?;
        game.stake().map(|(name, points)| Stake { name, points })
    }
}

/// Finds how many deals the options of a game give ([`Game::given_deals`]).
pub struct GivenDeals<'a>(
    /// The options.
    pub &'a Value,
);

impl Visit for GivenDeals<'_> {
    type Output = u64;

    fn visit<G: Game>(self) -> u64 {
        let game = serde_json::from_value(self.0.clone()).ok().and_then(|options| G::new(options).ok());
        game.map_or(0, |game| game.given_deals() as u64)
    }
}

/// Finds what the deals of a game under its options count in.
pub struct UnitOf<'a> {
    /// The options.
    pub options: &'a Value,
    /// Whether deals are duplicated.
    pub is_duplicate: bool,
}

impl Visit for UnitOf<'_> {
    type Output = &'static str;

    fn visit<G: Game>(self) -> &'static str {
        let game = serde_json::from_value(self.options.clone()).ok().and_then(|options| G::new(options).ok());
        game.map_or(G::score_unit(), |game| game.unit(self.is_duplicate))
    }
}

/// What is wrong with a league's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionProblem {
    /// The option, `None` where they do not fit together.
    pub option: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub cure: String,
}

/// How many deals a duplicated deal of the game of that name counts for: one for each rotation, or one where the game counts
/// them together ([`Game::joint_payoff`]) and where there is no such game.
#[must_use]
pub fn counted_rotations(name: &str, options: &Value, players: usize) -> u32 {
    struct Counted<'a>(&'a Value, usize);
    impl Visit for Counted<'_> {
        type Output = usize;
        fn visit<G: Game>(self) -> usize {
            let rotations = G::rotations(self.1);
            let game = serde_json::from_value(self.0.clone()).ok().and_then(|options| G::new(options).ok());
            let is_joint = game.is_some_and(|game| game.joint_payoff(&vec![0; rotations]).is_some());
            if is_joint { 1 } else { rotations }
        }
    }
    visit(name, Counted(options, players)).and_then(|count| u32::try_from(count).ok()).unwrap_or(1)
}

/// Reads an option from a file's text: its value, `None` where the game reads no such option from files.
pub struct OptionFile<'a> {
    /// The option.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl Visit for OptionFile<'_> {
    type Output = Option<Result<Value, String>>;

    fn visit<G: Game>(self) -> Self::Output {
        let mut options = G::Options::default();
        let read = G::read_option_file(&mut options, self.name, self.text)?;
        let value = || Ok(serde_json::to_value(&options).map_err(|error| error.to_string())?[self.name].clone());
        Some(read.and_then(|()| value()))
    }
}

/// Puts a league's overrides over a preset.
pub struct Override<'a> {
    /// Name of the preset; one that the game has.
    pub preset: &'a str,
    /// Options that differ from it.
    pub overrides: &'a [(String, Value)],
}

impl Visit for Override<'_> {
    type Output = Result<Rules, Vec<OptionProblem>>;

    fn visit<G: Game>(self) -> Self::Output {
        let preset = G::preset(self.preset).unwrap_or_default();
        let preset = serde_json::to_value(preset).unwrap_or_default();
        let known = preset.as_object().cloned().unwrap_or_default();
        let mut merged = known.clone();
        let mut problems = Vec::new();
        for (name, value) in self.overrides {
            let Some(default) = known.get(name) else {
                problems.push(OptionProblem {
                    option: Some(name.clone()),
                    message: format!("{} has no option `{name}`", bare(G::ID)),
                    cure: crate::text::suggestion(name, "options", known.keys().map(String::as_str)),
                });
                continue;
            };
            // Each override is tried alone, so that every wrong one is named.
            let mut alone = known.clone();
            alone.insert(name.clone(), value.clone());
            match serde_json::from_value::<G::Options>(Value::Object(alone)) {
                Ok(_) => _ = merged.insert(name.clone(), value.clone()),
                Err(error) => problems.push(OptionProblem {
                    option: Some(name.clone()),
                    message: format!("option `{name}`: {error}"),
                    cure: format!("preset `{}` has `{name}: {default}`", self.preset),
                }),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let whole = |message: String| {
            let cure = "options that are not given are those of the preset".to_owned();
            vec![OptionProblem { option: None, message, cure }]
        };
        let options: G::Options =
            serde_json::from_value(Value::Object(merged)).map_err(|error| whole(error.to_string()))?;
        // The JSON is made from the options once more, so that two ways to write a value compare equal.
        let canonical = serde_json::to_value(&options).map_err(|error| whole(error.to_string()))?;
        let game = G::new(options).map_err(whole)?;
        Ok(Rules { options: canonical, block_deals: game.block_deals() })
    }
}
