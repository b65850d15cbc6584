//! A match as a dealer's lines tell it, and the view and the record that a bot gets from it.
//!
//! Every line tells a hand from its beginning, so the rules play it again with what is known of the
//! cards. Where a line and the rules differ, the dealer plays another game than the bot was told
//! of.

use bytemuck::Zeroable;
use hattari_agents::agent::Observation;
use hattari_formats::acpc::{MatchState, act_of, is_shown, replay};
use hattari_plugin::games::holdem::{Action, Block, Deal, Holdem, View};
use hattari_plugin::games::poker::Limit;
use hattari_plugin::games::{Game, Grant};

/// A match as one of its players sees it.
#[derive(Debug)]
pub(super) struct Follow<'g> {
    game: &'g Holdem,
    block: Block,
    deal: Deal,
    /// The player's seat, which it keeps; the button moves.
    seat: u8,
    /// Number of the hand under way, as the dealer counts.
    hand: Option<u32>,
    view: View,
    actions: Vec<Action>,
}

/// What a line comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The player is to act.
    Mine,
    /// Another one is.
    Theirs,
    /// The hand is over.
    Over,
}

impl<'g> Follow<'g> {
    /// A match whose first line is `state`, with so many hands planned.
    ///
    /// # Errors
    /// It is played by more than there are seats for, or by too few.
    pub(super) fn new(
        game: &'g Holdem,
        state: &MatchState,
        deals: u32,
    ) -> Result<Follow<'g>, String> {
        let players = state.cards.holes.len();
        let (least, most) = Holdem::players();
        if !(least..=most).contains(&players) {
            return Err(format!(
                "{players} players; hold'em is played here by {least} to {most}"
            ));
        }
        let block = game.new_block(players, deals);
        // Where positions rotate, who sits in seat 0 has position 0 in hand 0.
        let count = u32::from(block.players);
        let seat =
            u8::try_from((u32::from(state.position) + state.hand % count) % count).unwrap_or(0);
        let (deal, view) = (game.new_deal(), View::zeroed());
        Ok(Follow {
            game,
            block,
            deal,
            seat,
            hand: None,
            view,
            actions: Vec::new(),
        })
    }

    /// Players of the table.
    #[must_use]
    pub(super) fn players(&self) -> u8 {
        self.block.players
    }

    /// The player's seat.
    #[must_use]
    pub(super) fn seat(&self) -> u8 {
        self.seat
    }

    /// Whether a line belongs to another hand than the one under way.
    #[must_use]
    pub(super) fn is_another(&self, state: &MatchState) -> bool {
        self.hand != Some(state.hand)
    }

    /// The beginning of the hand that a line tells of: what the player saw before anybody had
    /// acted.
    ///
    /// # Errors
    /// The line does not belong to this match.
    pub(super) fn begin(&mut self, state: &MatchState) -> Result<(), String> {
        let count = self.block.players;
        self.block.button = (self.seat + 2 * count - state.position % count - 1) % count;
        self.hand = Some(state.hand);
        let mut cards = state.cards.clone();
        cards.board.clear();
        replay(
            self.game,
            &self.block,
            &hattari_formats::acpc::Rounds(vec![Vec::new()]),
            &cards,
            &mut self.deal,
        )?;
        self.look();
        Ok(())
    }

    /// What a line tells.
    ///
    /// # Errors
    /// What the rules do not allow.
    pub(super) fn read(&mut self, state: &MatchState) -> Result<Stage, String> {
        replay(
            self.game,
            &self.block,
            &state.rounds,
            &state.cards,
            &mut self.deal,
        )?;
        let stage = match self.game.to_act(&self.deal) {
            None if is_shown(&self.deal, &state.cards) => Stage::Over,
            None => return Err("a showdown whose hands are not shown".into()),
            Some(seat) if seat == self.seat => Stage::Mine,
            Some(_) => Stage::Theirs,
        };
        self.look();
        Ok(stage)
    }

    fn look(&mut self) {
        self.game
            .view(&self.block, &self.deal, self.seat, &mut self.view);
    }

    /// What the bot is shown now.
    #[must_use]
    pub(super) fn seen(&self) -> Observation<'_> {
        Observation::of::<Holdem>(&self.view, self.game.history(&self.deal))
    }

    /// What the player may do.
    #[must_use]
    pub(super) fn legal(&mut self) -> Vec<Action> {
        self.game.legal(&self.deal, &mut self.actions);
        self.actions.clone()
    }

    /// A choice in the protocol's words.
    #[must_use]
    pub(super) fn words(&self, choice: &Grant<Action>) -> String {
        let seat = usize::from(self.seat);
        let before = self.deal.betting.paid[seat] - self.deal.betting.bets[seat];
        act_of(
            &choice.action,
            choice.amount,
            before,
            self.game.form().limit == Limit::NoLimit,
        )
        .to_string()
    }

    /// Closes the hand: payoffs by seat.
    pub(super) fn end(&mut self) -> Vec<i64> {
        let mut payoffs = vec![0; usize::from(self.block.players)];
        self.game.finish(&mut self.block, &self.deal, &mut payoffs);
        self.look();
        payoffs
    }
}
