//! Look-ahead in daihinmin that the host offers to bots, whatever they are written in: deals that
//! fit what a seat knows, and what its actions bring in them.

use super::Turn;
use hattari_plugin::Rng;
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::daihinmin::card::CardSet;
use hattari_plugin::games::daihinmin::{
    Action, Daihinmin, Event, Options, PLAYERS, Position, View, phase,
};
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::{Deals, Knowledge, Playout, try_action};

/// Why a wish is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The bot does not play daihinmin.
    OtherGame,
    /// The records are not those of a decision.
    NoDecision,
    /// Nothing is played on from the exchange.
    Exchange,
    /// Hands that do not fit what the seat knows.
    Unfit,
    /// The time for the decision ran out.
    Late,
}

impl Refusal {
    /// In words.
    #[must_use]
    pub(super) fn message(self) -> &'static str {
        match self {
            Refusal::OtherGame => "there is look-ahead in daihinmin alone",
            Refusal::NoDecision => {
                "look-ahead is to be had while a decision is made, for that decision"
            }
            Refusal::Exchange => "nothing can be played on from the exchange",
            Refusal::Unfit => "the hands are not such as fit what the seat knows",
            Refusal::Late => "the time for the decision ran out",
        }
    }
}

/// A decision of daihinmin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    view: &'a View,
    history: &'a [Event],
    actions: &'a [Action],
}

impl<'a> Asked<'a> {
    /// Reads what a bot is asked.
    ///
    /// # Errors
    /// It is no decision of daihinmin.
    pub(super) fn read(turn: &Turn<'a>) -> Result<Asked<'a>, Refusal> {
        let known = turn
            .seen
            .cast::<Daihinmin>()
            .zip(turn.legal.cast())
            .filter(|(_, actions)| !actions.is_empty());
        let ((view, history), actions) = known.ok_or(Refusal::NoDecision)?;
        Ok(Asked {
            view,
            history,
            actions,
        })
    }

    /// How many actions there are.
    #[must_use]
    pub(super) fn actions(&self) -> usize {
        self.actions.len()
    }
}

/// Look-ahead for one bot in one block.
#[derive(Debug, Default)]
pub(super) struct Lookahead {
    /// The rules as JSON; empty where the game is another. Read when they are first needed.
    options_json: String,
    options: Option<Options>,
    chance: Option<Rng>,
    seed: u64,
    scratch: Scratch,
}

/// What keeps the stream apart from the bot's own generator, which starts from the same seed.
const STREAM: u64 = 0x5ea7_c4a4_ead0_0001;

impl Lookahead {
    /// A block starts; `seed` is the bot's.
    pub(super) fn start_block(&mut self, game: &str, options_json: &str, seed: u64) {
        self.options_json.clear();
        if game == Daihinmin::ID {
            self.options_json.push_str(options_json);
        }
        (self.options, self.chance) = (None, None);
        self.seed = seed;
    }

    fn prepare(&mut self) -> Result<(&Options, &mut Rng, &mut Scratch), Refusal> {
        if self.options.is_none() {
            let options =
                serde_json::from_str(&self.options_json).map_err(|_| Refusal::OtherGame)?;
            self.options = Some(options);
        }
        let options = self.options.as_ref().ok_or(Refusal::OtherGame)?;
        let seed = self.seed ^ STREAM;
        Ok((
            options,
            self.chance.get_or_insert_with(|| Rng::new(seed)),
            &mut self.scratch,
        ))
    }

    /// Draws deals that fit what the seat knows and shows the hands of each.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn sample(
        &mut self,
        asked: &Asked<'_>,
        count: u32,
        mut show: impl FnMut(&[CardSet; PLAYERS]),
    ) -> Result<(), Refusal> {
        let (options, chance, _) = self.prepare()?;
        let knowledge = Knowledge::new(asked.view, asked.history, options.exchange)
            .map_err(|_| Refusal::NoDecision)?;
        let mut deals = Deals::new(&knowledge, chance);
        for _ in 0..count {
            show(&deals.draw(chance));
        }
        Ok(())
    }

    /// Plays on from each deal after each action, and shows the mean points of the seat, deal by
    /// deal.
    ///
    /// # Errors
    /// Why it stopped; what was shown before counts.
    pub(super) fn playouts<'h>(
        &mut self,
        asked: &Asked<'_>,
        deals: impl Iterator<Item = &'h [CardSet; PLAYERS]>,
        playouts: u32,
        policy: Playout,
        is_late: impl Fn() -> bool,
        mut show: impl FnMut(f64),
    ) -> Result<(), Refusal> {
        let Asked {
            view,
            history,
            actions,
        } = asked;
        let (options, chance, scratch) = self.prepare()?;
        if view.phase != phase::PLAY {
            return Err(Refusal::Exchange);
        }
        let knowledge =
            Knowledge::new(view, history, options.exchange).map_err(|_| Refusal::NoDecision)?;
        let points = options.points.map(f64::from);
        for hands in deals {
            if knowledge.ways(hands) == 0 {
                return Err(Refusal::Unfit);
            }
            let root = Position::seen(view, history, *hands, options.deadlock_after());
            for action in *actions {
                if is_late() {
                    return Err(Refusal::Late);
                }
                show(
                    try_action(
                        &root, hands, action, playouts, policy, &points, scratch, chance,
                    )
                    .mean(),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::decision_tests;
    use hattari_plugin::games::Game;

    #[test]
    fn answers_do_not_depend_on_earlier_blocks() {
        let options = Options::default();
        let all = decision_tests::of(&Daihinmin::new(options.clone()).unwrap(), 2);
        let json = serde_json::to_string(&options).unwrap();
        let ask = |lookahead: &mut Lookahead, number: usize| {
            lookahead.start_block(Daihinmin::ID, &json, 7);
            let turn = all[number].turn();
            let asked = Asked::read(&turn).unwrap();
            let (mut deals, mut points) = (Vec::new(), Vec::new());
            lookahead
                .sample(&asked, 3, |hands| deals.push(*hands))
                .unwrap();
            for policy in [Playout::Uniform, Playout::Fitted] {
                lookahead
                    .playouts(
                        &asked,
                        deals.iter(),
                        2,
                        policy,
                        || false,
                        |mean| points.push(mean),
                    )
                    .unwrap();
            }
            (deals, points)
        };
        let play =
            |number: &usize| all[*number].turn().seen.read::<Daihinmin>().0.phase == phase::PLAY;
        let some: Vec<usize> = (0..all.len()).filter(play).step_by(7).take(3).collect();
        let mut used = Lookahead::default();
        for &number in some.iter().chain(some.iter().rev()) {
            assert_eq!(
                ask(&mut used, number),
                ask(&mut Lookahead::default(), number),
                "question {number}"
            );
        }
    }
}
