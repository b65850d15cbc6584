//! The bot of a match that somebody else's server deals, whatever the game.

use hattari_agents::agent::{Agent, BlockStart, Misstep, Observation, Reach, Records, Turn};
use hattari_agents::record::FaultKind;
use hattari_plugin::games::{Game, Grant};

/// What the bot did wrong: how often, and the first of it in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How often.
    pub count: u32,
    /// The first.
    pub first: Option<String>,
}

/// A bot at somebody else's table. Whatever it does wrong is counted, and the first legal action is
/// played for it; an instance that has died is started anew with the next deal.
pub(crate) struct Player<'a> {
    agent: &'a mut dyn Agent,
    start: BlockStart<'a>,
    /// Its instance can be called.
    lives: bool,
    /// What it did wrong.
    pub faults: Faults,
}

impl<'a> Player<'a> {
    /// A bot whose match begins; `start` has no deals where it is not known how many there will be.
    pub(crate) fn start(agent: &'a mut dyn Agent, start: BlockStart<'a>) -> Player<'a> {
        let mut player = Player {
            agent,
            start,
            lives: false,
            faults: Faults::default(),
        };
        player.revive();
        player
    }

    /// Starts an instance.
    fn revive(&mut self) {
        let outcome = self.agent.block_start(&self.start);
        self.lives = outcome.is_ok();
        self.note(outcome.err());
    }

    /// Cards have been dealt.
    pub(crate) fn deal_start(&mut self, seen: &Observation<'_>) {
        if !self.lives {
            self.revive();
        }
        if self.lives {
            let outcome = self.agent.deal_start(seen);
            self.note(outcome.err());
        }
    }

    /// One of the legal actions, of which there is one at least: the bot's choice, or the first
    /// where it has none. It is not asked where there is one thing to do.
    pub(crate) fn choose<G: Game>(
        &mut self,
        seen: Observation<'_>,
        actions: &[G::Action],
    ) -> Grant<G::Action> {
        let first = actions[0];
        let fallback = Grant {
            action: first,
            amount: G::amounts(&first).map_or(0, |(lowest, _)| lowest),
        };
        let is_forced = actions.len() == 1 && G::amounts(&first).is_none();
        if is_forced || !self.lives {
            return fallback;
        }
        let outcome = self.agent.act(&Turn {
            seen,
            legal: Records::of(actions),
            budget_us: 0,
        });
        outcome
            .and_then(|choice| hattari_agents::table::accept::<G>(actions, choice))
            .unwrap_or_else(|misstep| {
                self.note(Some(misstep));
                fallback
            })
    }

    /// The deal is over; payoffs by player.
    pub(crate) fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) {
        if self.lives {
            let outcome = self.agent.deal_end(seen, payoffs);
            self.note(outcome.err());
        }
    }

    /// The match is over; what the bot did wrong in it.
    #[must_use]
    pub(crate) fn finish(mut self) -> Faults {
        if self.lives {
            let outcome = self.agent.block_end();
            self.note(outcome.err());
        }
        self.faults
    }

    /// Notes what the bot did wrong.
    fn note(&mut self, misstep: Option<Misstep>) {
        let Some(misstep) = misstep else { return };
        let text = format!("{}: {}", misstep.kind.name(), misstep.message);
        tracing::warn!("the bot has made a fault: {text}");
        self.lives &= misstep.reach == Reach::Decision && misstep.kind != FaultKind::Start;
        self.faults.count += 1;
        self.faults.first.get_or_insert(text);
    }
}
