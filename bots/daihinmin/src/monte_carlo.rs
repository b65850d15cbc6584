//! Monte Carlo players: every action is tried in playouts from deals that may be the true one, and the one that the
//! trying settles on is taken.
//!
//! Which action a playout tries is decided by UCB1 at the root; after it everybody plays by the playout policy until the
//! own place is settled, whose points are the reward. Deals are drawn uniformly from those that fit what the seat knows
//! (`mc-random`), or weighted by how likely they make what the others have done (`mc-estimate`), as the contest's program
//! *snowl* does (Nishino and Nishino, 大貧民における偶然手番感度).
//!
//! Beyond that paper, and switched off for its players: a hand that surely goes out next is played so, and with two players
//! left the game is solved.

use hattari_plugin::daihinmin::{Block, Bot, Options, PLAYERS, Turn, card::CardSet};
use hattari_plugin::games::daihinmin::Position;
use hattari_plugin::{Host, Rng};
use hattari_search::bandit::Bandit;
use hattari_search::daihinmin::endgame::{Endgame, Outcome};
use hattari_search::daihinmin::playout::{self, Scratch};
use hattari_search::daihinmin::policy::{Light, LightPolicy, Look, Sight};
use hattari_search::daihinmin::sure::SureWin;
use hattari_search::daihinmin::{Deals, Knowledge, Past, Pool};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Who plays in the playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayoutPolicy {
    /// Chance: any legal play as likely as any other.
    #[default]
    Uniform,
    /// The fitted policy.
    Fitted,
}

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Playouts a decision; 0 where time alone limits them.
    pub playouts: u32,
    /// Milliseconds a decision; 0 for no limit of time. With one, games differ from run to run.
    pub time_ms: u32,
    /// How much UCB explores; rewards are between 0 and 1.
    pub c: f64,
    /// Who plays in the playouts.
    pub policy: PlayoutPolicy,
    /// Deals that are weighed at each decision by what the others have done; 0 to take every deal as it is drawn.
    pub weighed: u32,
    /// Play a sure way out where there is one, without playouts.
    pub sure_win: bool,
    /// Solve the game with two players left.
    pub endgame: bool,
    /// Mixed into the seed that the host gives, for other games of the same league.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            playouts: 2000,
            time_ms: 0,
            c: 0.5,
            policy: PlayoutPolicy::Uniform,
            weighed: 0,
            sure_win: false,
            endgame: false,
            seed: 0,
        }
    }
}

/// A Monte Carlo player.
pub struct MonteCarlo {
    config: Config,
    options: Options,
    chance: Rng,
    policy: &'static LightPolicy,
    bandit: Bandit,
    pool: Pool,
    scratch: Scratch,
    sure_win: Option<SureWin>,
    endgame: Option<Endgame>,
}

/// Plays that the search for a sure way out looks at.
const SURE_WIN_PLAYS: u32 = 2000;
/// Positions that the search with two players left visits.
const ENDGAME_POSITIONS: u32 = 20_000;

impl Bot for MonteCarlo {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.playouts == 0 && config.time_ms == 0 {
            return Err("`playouts` and `time_ms` are both 0: one of them has to limit a decision".into());
        }
        if !config.c.is_finite() || config.c < 0.0 {
            return Err(format!("`c` is {}, must be 0 or more", config.c));
        }
        Ok(())
    }

    fn new(config: Config, block: &Block) -> Result<MonteCarlo, String> {
        Ok(MonteCarlo {
            chance: Rng::new(block.seed ^ config.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            options: block.options()?,
            sure_win: config.sure_win.then(|| SureWin::new(SURE_WIN_PLAYS)),
            endgame: config.endgame.then(|| Endgame::new(ENDGAME_POSITIONS)),
            config,
            policy: Light::shipped(),
            bandit: Bandit::default(),
            pool: Pool::default(),
            scratch: Scratch::default(),
        })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        if let Some(search) = &mut self.sure_win
            && let Some(index) = search.find(&Sight::seen(turn.view()), turn.legal())
        {
            return index;
        }
        self.search(turn).unwrap_or_else(|| self.bandit.best())
    }
}

impl MonteCarlo {
    /// Tries the actions of a turn; the result stands in the bandit, or is the index of an action that surely wins.
    fn search(&mut self, turn: &Turn) -> Option<usize> {
        let (view, legal) = (turn.view(), turn.legal());
        self.bandit.reset(legal.len());
        let knowledge = Knowledge::new(view, turn.history(), self.options.exchange).ok()?;
        let mut deals = Deals::new(&knowledge, &mut self.chance);
        let after = self.options.deadlock_after();
        let root = Position::seen(view, turn.history(), deals.draw(&mut self.chance), after);
        if let Some(endgame) = &mut self.endgame
            && let Outcome::Wins(index) = endgame.solve(&root, legal)
        {
            return Some(index);
        }
        self.weigh(turn, &mut deals);
        let rewards = self.rewards();
        let mut limit = Limit::new(&self.config, turn.host());
        while limit.allows(self.bandit.tries()) {
            let arm = self.bandit.choose(self.config.c);
            let hands = match self.pool.draw(&mut self.chance) {
                Some(hands) => *hands,
                None => deals.draw(&mut self.chance),
            };
            let mut position = root.with_hands(&hands);
            position.play(&legal[arm]);
            let place = match self.config.policy {
                PlayoutPolicy::Uniform => playout::uniform(&mut position, view.seat, &mut self.chance),
                PlayoutPolicy::Fitted => {
                    playout::by_policy(&mut position, view.seat, self.policy, &mut self.scratch, &mut self.chance)
                }
            };
            self.bandit.reward(arm, rewards[usize::from(place) % PLAYERS]);
        }
        None
    }

    /// Fills the pool with deals weighted by what the others have done; leaves it empty where nothing is to be weighed.
    fn weigh(&mut self, turn: &Turn, deals: &mut Deals) {
        self.pool.clear();
        let past = Past::new(turn.view(), turn.history(), self.options.deadlock_after());
        for _ in 0..self.config.weighed {
            let hands: [CardSet; PLAYERS] = deals.draw(&mut self.chance);
            let weight = past.likelihood(&hands, self.policy, &mut self.scratch);
            self.pool.push(hands, weight);
        }
    }

    /// The points of each place between 0 and 1.
    fn rewards(&self) -> [f64; PLAYERS] {
        let points = self.options.points.map(f64::from);
        let (least, most) = points.iter().fold((points[0], points[0]), |(l, m), &p| (l.min(p), m.max(p)));
        let span = if most > least { most - least } else { 1.0 };
        points.map(|points| (points - least) / span)
    }
}

/// How long a decision may take.
struct Limit {
    playouts: u32,
    until: Option<Instant>,
}

/// Playouts between two looks at the clock.
const PLAYOUTS_PER_LOOK: u32 = 32;

impl Limit {
    fn new(config: &Config, host: Host) -> Limit {
        let playouts = if config.playouts == 0 { u32::MAX } else { config.playouts };
        let own = (config.time_ms > 0).then(|| Duration::from_millis(u64::from(config.time_ms)));
        // Where the host sets a limit of its own, a tenth is left for what comes after the search.
        let left = host.time_left().map(|left| left * 9 / 10);
        let time = own.into_iter().chain(left).min();
        Limit { playouts, until: time.map(|time| Instant::now() + time) }
    }

    /// Whether another playout may begin after `done` of them.
    fn allows(&mut self, done: u32) -> bool {
        let late = |until: Instant| done.is_multiple_of(PLAYOUTS_PER_LOOK) && done > 0 && Instant::now() >= until;
        done < self.playouts && !self.until.is_some_and(late)
    }
}
