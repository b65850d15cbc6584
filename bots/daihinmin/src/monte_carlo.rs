//! Monte Carlo players: they try every action in playouts from sampled deals, and take the best
//! action.
//!
//! UCB1 at the root selects the action of each playout. Then all players use the playout policy
//! until the bot's place is known; the points of this place are the reward. Deals are sampled
//! uniformly from those that are consistent with the information of the seat (`mc-random`).
//! `mc-estimate` weights them by the likelihood of the other players' actions, like the contest
//! program *snowl* (Nishino and Nishino, 大貧民における偶然手番感度).
//!
//! Extensions that are not in the paper, and disabled for its players:
//!
//! - A sure win is played without search.
//! - With two players left, the game is solved.
//! - Actions that a learned policy considers hopeless are not tried.
//! - The other actions are tried on the same deals and eliminated when they fall behind. Actions
//!   that the policy prefers have a head start.
//! - The search stops when further playouts cannot change the result.
//! - The choice of gifts in the exchange is learned as well.

mod config;

pub use config::Config;
pub(crate) use config::{AssumedPolicy, PlayoutPolicy};

use crate::by_policy::{Weights, WinSearch};
use crate::gift::weakest_gift;
use hattari_plugin::daihinmin::{Block, Bot, Options, PLAYERS, Turn, card::CardSet};
use hattari_plugin::games::daihinmin::Position;
use hattari_plugin::{Host, Rng};
use hattari_search::Pool;
use hattari_search::bandit::Bandit;
use hattari_search::daihinmin::playout::{self, Scratch};
use hattari_search::daihinmin::policy::{
    DeepFeatures, FullFeatures, GiftFeatures, LightFeatures, LightPolicy, PolicyInput, PolicyView,
};
use hattari_search::daihinmin::{HandSampler, Knowledge, PlayHistory};
use hattari_search::race::Race;
use std::time::{Duration, Instant};

/// A Monte Carlo player.
pub struct MonteCarlo {
    config: Config,
    options: Options,
    chance: Rng,
    /// The policy of fast playouts.
    quick: &'static LightPolicy,
    full: Weights<FullFeatures, 14>,
    deep: Weights<DeepFeatures, 41>,
    gift: Option<Weights<GiftFeatures, 7>>,
    bandit: Bandit,
    race: Race,
    /// Indices of the actions that are tried.
    tried: Vec<usize>,
    pool: Pool<[CardSet; PLAYERS]>,
    scratch: Scratch,
    wins: WinSearch,
}

impl Bot for MonteCarlo {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        config.check()
    }

    fn new(config: Config, block: &Block) -> Result<MonteCarlo, String> {
        let (full, deep, gift) = config.policies()?;
        Ok(MonteCarlo {
            chance: Rng::new(block.seed ^ config.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            options: block.options()?,
            wins: WinSearch::new(config.sure_win, config.endgame),
            quick: if config.policy == PlayoutPolicy::Learned {
                LightFeatures::learned()
            } else {
                LightFeatures::shipped()
            },
            full,
            deep,
            gift,
            config,
            bandit: Bandit::default(),
            race: Race::default(),
            tried: Vec::new(),
            pool: Pool::default(),
            scratch: Scratch::default(),
        })
    }

    fn exchange(&mut self, turn: &Turn) -> usize {
        match &self.gift {
            None => weakest_gift(turn.legal()),
            Some(gift) => gift
                .get()
                .best(&PolicyView::seen(turn.view()), turn.legal()),
        }
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let sight = PolicyView::seen(turn.view());
        if let Some(index) = self.wins.find(turn, &sight, &self.options) {
            return index;
        }
        self.select(turn);
        if self.tried.len() > 1 {
            self.search(turn);
        }
        let best = if self.config.race {
            self.race.best()
        } else {
            self.bandit.best()
        };
        self.tried.get(best).copied().unwrap_or(0)
    }
}

impl MonteCarlo {
    /// Selects the actions to try, and sets their head starts in the race.
    fn select(&mut self, turn: &Turn) {
        self.tried.clear();
        let (Config { prior, lean, .. }, (_, span)) = (&self.config, self.rewards());
        let mut leads = Vec::new();
        if *prior > 0.0 || *lean > 0.0 {
            let sight = PolicyView::seen(turn.view());
            let idle = sight.idle_passes(turn.legal());
            let judge = DeepFeatures::judge(&sight);
            let policy = self.deep.get();
            let strength = |action| f64::from(policy.strength(&judge, action));
            let strengths: Vec<f64> = turn.legal()[idle..].iter().map(strength).collect();
            let least = prior * strengths.iter().copied().fold(0.0, f64::max);
            for (index, action) in (idle..)
                .zip(&turn.legal()[idle..])
                .filter(|&(index, _)| strengths[index - idle] >= least)
            {
                self.tried.push(index);
                leads.push(if *lean > 0.0 {
                    lean / span * policy.log_strength(&judge, action)
                } else {
                    0.0
                });
            }
        } else {
            self.tried.extend(0..turn.legal().len());
            leads.resize(self.tried.len(), 0.0);
        }
        self.bandit.reset(self.tried.len());
        self.race.reset(leads);
    }

    /// Runs playouts of the selected actions of a turn. The results are stored in the bandit or the
    /// race.
    fn search(&mut self, turn: &Turn) {
        let view = turn.view();
        let Ok(knowledge) = Knowledge::new(view, turn.history(), self.options.exchange) else {
            return;
        };
        let mut deals = HandSampler::new(&knowledge, &mut self.chance);
        let after = self.options.deadlock_after();
        let root = Position::from_view(view, turn.history(), deals.draw(&mut self.chance), after);
        self.weigh(turn, &mut deals);
        let limit = Limit::new(&self.config, turn.host());
        if self.config.race {
            self.run(turn, &root, &mut deals, limit)
        } else {
            self.try_arms(turn, &root, &mut deals, limit)
        }
    }

    /// Runs playouts one by one, each of the action that UCB1 selects.
    fn try_arms(
        &mut self,
        turn: &Turn,
        root: &Position,
        deals: &mut HandSampler,
        mut limit: Limit,
    ) {
        let (rewards, span) = self.rewards();
        while limit.allows(self.bandit.tries()) {
            if self.config.regret > 0.0
                && self.bandit.tries().is_multiple_of(PLAYOUTS_PER_LOOK)
                && self.bandit.regret() * span < self.config.regret
            {
                break;
            }
            let arm = self.bandit.choose(self.config.c);
            let hands = self.hands(deals);
            let place = self.play_out(turn, root, &hands, arm);
            self.bandit
                .reward(arm, rewards[usize::from(place) % PLAYERS]);
        }
    }

    /// Runs playouts in laps: each lap plays all remaining actions on the same deal (race).
    fn run(&mut self, turn: &Turn, root: &Position, deals: &mut HandSampler, mut limit: Limit) {
        let (rewards, span) = self.rewards();
        let (mut done, mut lap) = (0, Vec::new());
        for laps in 1.. {
            if !limit.allows(done) {
                break;
            }
            let hands = self.hands(deals);
            lap.clear();
            for open in 0..self.race.open().len() {
                let place = self.play_out(turn, root, &hands, self.race.open()[open]);
                lap.push(rewards[usize::from(place) % PLAYERS]);
                done += 1;
            }
            self.race.lap(&lap);
            if laps % LAPS_PER_LOOK == 0 && self.race.drop_unlikely() * span <= self.config.regret {
                break;
            }
        }
    }

    /// Samples hands that are consistent with the view: from the pool or, if it is empty, from
    /// `deals`.
    fn hands(&mut self, deals: &mut HandSampler) -> [CardSet; PLAYERS] {
        match self.pool.draw(&mut self.chance) {
            Some(hands) => *hands,
            None => deals.draw(&mut self.chance),
        }
    }

    /// Returns the bot's place at the end of one playout of an action with these hands. `tried` is
    /// an index in `self.tried`.
    fn play_out(
        &mut self,
        turn: &Turn,
        root: &Position,
        hands: &[CardSet; PLAYERS],
        tried: usize,
    ) -> u8 {
        let seat = turn.view().seat;
        let mut position = root.with_hands(hands);
        position.play(&turn.legal()[self.tried[tried]]);
        let (scratch, chance) = (&mut self.scratch, &mut self.chance);
        match self.config.policy {
            PlayoutPolicy::Uniform => playout::uniform(&mut position, seat, chance),
            PlayoutPolicy::Fitted | PlayoutPolicy::Learned => {
                playout::by_policy(&mut position, seat, self.quick, scratch, chance)
            }
            PlayoutPolicy::Full => {
                playout::by_policy(&mut position, seat, self.full.get(), scratch, chance)
            }
            PlayoutPolicy::Deep => {
                playout::by_policy(&mut position, seat, self.deep.get(), scratch, chance)
            }
        }
    }

    /// Fills the pool with sampled deals. The weight of a deal is the likelihood of the actions of
    /// the other players in it. The pool stays empty if weighting is disabled.
    fn weigh(&mut self, turn: &Turn, deals: &mut HandSampler) {
        self.pool.clear();
        let past = PlayHistory::new(turn.view(), turn.history(), self.options.deadlock_after());
        for _ in 0..self.config.weighed {
            let hands: [CardSet; PLAYERS] = deals.draw(&mut self.chance);
            let weight = match self.config.others {
                AssumedPolicy::Fitted => {
                    past.likelihood(&hands, LightFeatures::shipped(), &mut self.scratch)
                }
                AssumedPolicy::Learned => {
                    past.likelihood(&hands, LightFeatures::learned(), &mut self.scratch)
                }
                AssumedPolicy::Full => past.likelihood(&hands, self.full.get(), &mut self.scratch),
            };
            self.pool.push(
                hands,
                if self.config.trust < 1.0 {
                    libm::pow(weight, self.config.trust)
                } else {
                    weight
                },
            );
        }
    }

    /// Returns the reward of each place, scaled to the range 0 to 1, and the number of points that
    /// a reward of 1 stands for.
    fn rewards(&self) -> ([f64; PLAYERS], f64) {
        let mut points = self.options.points.map(f64::from);
        if self.config.coming {
            points
                .iter_mut()
                .zip(LATER_VALUES)
                .for_each(|(points, worth)| *points += worth);
        }
        let (least, most) = points
            .iter()
            .fold((points[0], points[0]), |(l, m), &p| (l.min(p), m.max(p)));
        let span = if most > least { most - least } else { 1.0 };
        (points.map(|points| (points - least) / span), span)
    }
}

/// Value of each title for later deals, in points (a deal is worth 5 to 1 points). The values were
/// learned by the training tool `learn-policy` (`arena/study/examples/train`).
const LATER_VALUES: [f64; PLAYERS] = [3.32, 1.89, -0.63, -1.99, -2.59];

/// The limits of a decision.
struct Limit {
    playouts: u32,
    until: Option<Instant>,
    /// Number of playouts at the last check of the clock, divided by [`PLAYOUTS_PER_LOOK`].
    looks: u32,
}

/// Number of playouts between two checks of the clock.
const PLAYOUTS_PER_LOOK: u32 = 32;
/// Number of laps of a race between two eliminations.
const LAPS_PER_LOOK: u32 = 8;

impl Limit {
    fn new(config: &Config, host: Host) -> Limit {
        let playouts = if config.playouts == 0 {
            u32::MAX
        } else {
            config.playouts
        };
        let own = (config.time_ms > 0).then(|| Duration::from_millis(u64::from(config.time_ms)));
        // If the host has a time limit, a tenth of it is reserved for the work after the search.
        let left = host.time_left().map(|left| left * 9 / 10);
        let time = own.into_iter().chain(left).min();
        Limit {
            playouts,
            until: time.map(|time| Instant::now() + time),
            looks: 0,
        }
    }

    /// Returns `true` if the limits allow another playout after `done` playouts.
    fn allows(&mut self, done: u32) -> bool {
        let looks = done / PLAYOUTS_PER_LOOK;
        let looked = std::mem::replace(&mut self.looks, looks);
        let late = |until: Instant| looks != looked && Instant::now() >= until;
        done < self.playouts && !self.until.is_some_and(late)
    }
}
