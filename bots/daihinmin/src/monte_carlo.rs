//! Monte Carlo players: every action is tried in playouts from deals that may be the true one, and the one that the
//! trying settles on is taken.
//!
//! Which action a playout tries is decided by UCB1 at the root; after it everybody plays by the playout policy until the
//! own place is settled, whose points are the reward. Deals are drawn uniformly from those that fit what the seat knows
//! (`mc-random`), or weighted by how likely they make what the others have done (`mc-estimate`), as the contest's program
//! *snowl* does (Nishino and Nishino, 大貧民における偶然手番感度).
//!
//! Beyond that paper, and switched off for its players: a hand that surely goes out next is played so; with two players left
//! the game is solved; actions that a learned policy takes for hopeless are not tried; the trying stops when it cannot help any
//! more; and what is given away in the exchange is learned too.

use crate::by_policy::Giving;
use crate::gift::weakest_gift;
use hattari_plugin::daihinmin::{Block, Bot, Options, PLAYERS, Turn, card::CardSet};
use hattari_plugin::games::daihinmin::Position;
use hattari_plugin::{Host, Rng};
use hattari_search::bandit::Bandit;
use hattari_search::daihinmin::endgame::{Endgame, Outcome};
use hattari_search::daihinmin::playout::{self, Scratch};
use hattari_search::daihinmin::policy::{Full, Gift, Light, LightPolicy, Look, Sight};
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
    /// The policy that was fitted to recorded choices.
    Fitted,
    /// The same policy with what it learned from games.
    Learned,
    /// The learned policy that takes hands apart: several times as slow.
    Full,
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
    /// How far to trust the policy that weighs deals: weights are likelihoods to this power. At 1 few deals may outweigh all
    /// others where many choices have been seen, and others may not play by that policy at all.
    pub trust: f64,
    /// Play a sure way out where there is one, without playouts.
    pub sure_win: bool,
    /// Solve the game with two players left.
    pub endgame: bool,
    /// What is given away in the exchange.
    pub giving: Giving,
    /// Try those actions alone that the learned policy takes for at least so strong, as a share of the strongest; 0 to try all.
    pub prior: f64,
    /// Count what a place is worth in the next deals beside its points.
    pub coming: bool,
    /// Stop trying when another action than the best so far promises less than so many points more; 0 to use all playouts.
    pub regret: f64,
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
            trust: 1.0,
            sure_win: false,
            endgame: false,
            giving: Giving::Weakest,
            prior: 0.0,
            coming: false,
            regret: 0.0,
            seed: 0,
        }
    }
}

/// A Monte Carlo player.
pub struct MonteCarlo {
    config: Config,
    options: Options,
    chance: Rng,
    /// What the others are taken to play by.
    fitted: &'static LightPolicy,
    /// What is played by in playouts.
    policy: &'static LightPolicy,
    bandit: Bandit,
    /// Indices of the actions that are tried.
    tried: Vec<usize>,
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
        for (name, share) in [("prior", config.prior), ("trust", config.trust)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("`{name}` is {share}, must lie between 0 and 1"));
            }
        }
        if !config.regret.is_finite() || config.regret < 0.0 {
            return Err(format!("`regret` is {}, must be 0 or more", config.regret));
        }
        Ok(())
    }

    fn new(config: Config, block: &Block) -> Result<MonteCarlo, String> {
        Ok(MonteCarlo {
            chance: Rng::new(block.seed ^ config.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            options: block.options()?,
            sure_win: config.sure_win.then(|| SureWin::new(SURE_WIN_PLAYS)),
            endgame: config.endgame.then(|| Endgame::new(ENDGAME_POSITIONS)),
            fitted: Light::shipped(),
            policy: if config.policy == PlayoutPolicy::Learned { Light::learned() } else { Light::shipped() },
            config,
            bandit: Bandit::default(),
            tried: Vec::new(),
            pool: Pool::default(),
            scratch: Scratch::default(),
        })
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        match self.config.giving {
            Giving::Weakest => weakest_gift(turn.view(), turn.legal()),
            Giving::Learned => Gift::shipped().best(&Sight::seen(turn.view()), turn.legal()),
        }
    }

    fn act(&mut self, turn: &Turn) -> usize {
        if let Some(search) = &mut self.sure_win
            && let Some(index) = search.find(&Sight::seen(turn.view()), turn.legal())
        {
            return index;
        }
        if let Some(endgame) = &mut self.endgame
            && let Outcome::Wins(index) =
                endgame.find(turn.view(), turn.history(), turn.legal(), self.options.deadlock_after())
        {
            return index;
        }
        self.select(turn);
        if self.tried.len() > 1 {
            self.search(turn);
        }
        self.tried.get(self.bandit.best()).copied().unwrap_or(0)
    }
}

impl MonteCarlo {
    /// Settles which actions are tried.
    fn select(&mut self, turn: &Turn) {
        self.tried.clear();
        if self.config.prior > 0.0 {
            let sight = Sight::seen(turn.view());
            let idle = sight.idle_passes(turn.legal());
            let judge = Full::judge(&sight);
            let policy = Full::learned();
            let strength = |action| f64::from(policy.strength(&judge, action));
            let strengths: Vec<f64> = turn.legal()[idle..].iter().map(strength).collect();
            let least = self.config.prior * strengths.iter().copied().fold(0.0, f64::max);
            self.tried
                .extend((idle..).zip(&strengths).filter(|&(_, &strength)| strength >= least).map(|(index, _)| index));
        } else {
            self.tried.extend(0..turn.legal().len());
        }
        self.bandit.reset(self.tried.len());
    }

    /// Tries the actions of a turn; the result stands in the bandit.
    fn search(&mut self, turn: &Turn) {
        let (view, legal) = (turn.view(), turn.legal());
        let Ok(knowledge) = Knowledge::new(view, turn.history(), self.options.exchange) else { return };
        let mut deals = Deals::new(&knowledge, &mut self.chance);
        let after = self.options.deadlock_after();
        let root = Position::seen(view, turn.history(), deals.draw(&mut self.chance), after);
        self.weigh(turn, &mut deals);
        let (rewards, span) = self.rewards();
        let mut limit = Limit::new(&self.config, turn.host());
        while limit.allows(self.bandit.tries()) {
            if self.config.regret > 0.0
                && self.bandit.tries().is_multiple_of(PLAYOUTS_PER_LOOK)
                && self.bandit.regret() * span < self.config.regret
            {
                break;
            }
            let arm = self.bandit.choose(self.config.c);
            let hands = match self.pool.draw(&mut self.chance) {
                Some(hands) => *hands,
                None => deals.draw(&mut self.chance),
            };
            let mut position = root.with_hands(&hands);
            position.play(&legal[self.tried[arm]]);
            let place = match self.config.policy {
                PlayoutPolicy::Uniform => playout::uniform(&mut position, view.seat, &mut self.chance),
                PlayoutPolicy::Fitted | PlayoutPolicy::Learned => {
                    playout::by_policy(&mut position, view.seat, self.policy, &mut self.scratch, &mut self.chance)
                }
                PlayoutPolicy::Full => {
                    let policy = Full::learned();
                    playout::by_policy(&mut position, view.seat, policy, &mut self.scratch, &mut self.chance)
                }
            };
            self.bandit.reward(arm, rewards[usize::from(place) % PLAYERS]);
        }
    }

    /// Fills the pool with deals weighted by what the others have done; leaves it empty where nothing is to be weighed.
    fn weigh(&mut self, turn: &Turn, deals: &mut Deals) {
        self.pool.clear();
        let past = Past::new(turn.view(), turn.history(), self.options.deadlock_after());
        for _ in 0..self.config.weighed {
            let hands: [CardSet; PLAYERS] = deals.draw(&mut self.chance);
            let weight = past.likelihood(&hands, self.fitted, &mut self.scratch);
            self.pool.push(hands, if self.config.trust < 1.0 { weight.powf(self.config.trust) } else { weight });
        }
    }

    /// What each place brings, between 0 and 1, and how much 1 stands for.
    fn rewards(&self) -> ([f64; PLAYERS], f64) {
        let mut points = self.options.points.map(f64::from);
        if self.config.coming {
            points.iter_mut().zip(COMING).for_each(|(points, worth)| *points += worth);
        }
        let (least, most) = points.iter().fold((points[0], points[0]), |(l, m), &p| (l.min(p), m.max(p)));
        let span = if most > least { most - least } else { 1.0 };
        (points.map(|points| (points - least) / span), span)
    }
}

/// What each title is worth in the next deals, in points of 5 to 1, as `hattari analyse learn-policy` has found it.
const COMING: [f64; PLAYERS] = [1.60, 0.94, -0.03, -0.75, -1.10];

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
