//! Detection of hands that certainly go out next.
//!
//! A play that no other seat can beat returns the lead to its player. A hand therefore certainly
//! goes out if all its plays but the last are of this kind.

use super::policy::PolicyView;
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::moves::legal_plays;
use hattari_games::daihinmin::{Action, Situation, effect, pick};

/// A search for a certain win, with a limit on the number of plays examined.
#[derive(Clone, Debug)]
pub struct SureWin {
    /// Buffers for lists of plays that are not in use.
    lists: Vec<Vec<Action>>,
    limit: u32,
    examined: u32,
}

impl SureWin {
    /// Creates a search that examines at most `limit` plays.
    #[must_use]
    pub fn new(limit: u32) -> SureWin {
        SureWin {
            lists: Vec::new(),
            limit,
            examined: 0,
        }
    }

    /// Returns the index in `legal` of an action after which the seat certainly goes out before all
    /// others. Returns `None` if there is none, or if none was found within the limit.
    ///
    /// The unseen cards are treated as one hand, so the result is certain for every distribution of
    /// them.
    pub fn find(&mut self, sight: &PolicyView, legal: &[Action]) -> Option<usize> {
        self.examined = 0;
        let lead = LeadingHand {
            hand: sight.hand,
            unseen: sight.unseen,
            revolution: sight.revolution,
        };
        if sight.wins_by_passing() && self.wins_leading(&lead, sight.situation.rules) {
            return legal.iter().position(Action::is_pass);
        }
        legal
            .iter()
            .position(|play| self.wins_by(play, &lead, &sight.situation))
    }

    /// Returns `true` if a hand that leads certainly goes out next.
    fn wins_leading(&mut self, lead: &LeadingHand, rules: u8) -> bool {
        let mut plays = self.lists.pop().unwrap_or_default();
        let situation = Situation {
            table: Action::PASS,
            lock: false,
            reversed: lead.revolution,
            rules,
        };
        legal_plays(lead.hand, &situation, &mut plays);
        let wins = plays
            .iter()
            .any(|play| self.wins_by(play, lead, &situation));
        self.lists.push(plays);
        wins
    }

    /// Returns `true` if a play starts a certain win, or `false` if the limit is reached.
    fn wins_by(&mut self, play: &Action, lead: &LeadingHand, situation: &Situation) -> bool {
        if play.is_pass() || self.examined >= self.limit {
            return false;
        }
        let hand = lead.hand & !play.cards;
        if hand == 0 {
            return true;
        }
        self.examined += 1;
        let turned = play.effects & effect::REVOLUTION != 0;
        let next = LeadingHand {
            hand,
            revolution: lead.revolution != turned,
            ..*lead
        };
        cannot_be_answered(play, lead.unseen, situation)
            && self.wins_leading(&next, situation.rules)
    }
}

/// A hand that is about to lead.
struct LeadingHand {
    hand: CardSet,
    /// Cards of the other seats.
    unseen: CardSet,
    /// `true` during a revolution.
    revolution: bool,
}

/// Returns the situation after a play.
#[inline]
#[must_use]
pub fn situation_after(situation: &Situation, play: &Action) -> Situation {
    let turns = play.effects & (effect::REVOLUTION | effect::ELEVEN_BACK);
    let turned = turns == effect::REVOLUTION || turns == effect::ELEVEN_BACK;
    let lock = (situation.lock || play.effects & effect::LOCK != 0) && !play.is_lone_joker();
    Situation {
        table: *play,
        lock,
        reversed: situation.reversed != turned,
        rules: situation.rules,
    }
}

/// Returns `true` if no hand made of `unseen` cards can beat a play in this situation.
#[must_use]
pub fn cannot_be_answered(play: &Action, unseen: CardSet, situation: &Situation) -> bool {
    if play.effects & effect::CUT != 0 {
        return true;
    }
    let mut answers = 0;
    pick(unseen, &situation_after(situation, play), |count| {
        answers = count - 1;
        0
    });
    answers == 0
}
