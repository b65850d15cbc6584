//! The state of a match, reconstructed from the dealer's lines, with the view and history for the
//! bot.
//!
//! Every line contains the whole hand so far, which is replayed with the known cards. A line that
//! contradicts the rules of the match is an error, because the dealer then uses other rules.

use bytemuck::Zeroable;
use hattari_agents::agent::Observation;
use hattari_formats::acpc::{MatchState, RoundActions, is_shown, replay, state_action};
use hattari_plugin::games::holdem::{Action, Block, Deal, Holdem, View};
use hattari_plugin::games::poker::BetLimit;
use hattari_plugin::games::{Game, Move};

/// A match from the perspective of one player.
pub(super) struct HandTracker<'g> {
    game: &'g Holdem,
    pub block: Block,
    deal: Deal,
    /// Seat of the player. It stays the same for the whole match; the button moves.
    pub seat: u8,
    /// Number of the current hand, as counted by the dealer; `None` before the first hand.
    pub hand: Option<u32>,
    view: View,
}

impl<'g> HandTracker<'g> {
    /// Creates the state of a match from the dealer's first line, `state`. `deals` is the planned
    /// number of hands.
    ///
    /// # Errors
    /// Returns an error if hold'em does not support this number of players.
    pub(super) fn new(
        game: &'g Holdem,
        state: &MatchState,
        deals: u32,
    ) -> Result<HandTracker<'g>, String> {
        let players = state.cards.holes.len();
        let (least, most) = Holdem::players();
        if !(least..=most).contains(&players) {
            return Err(format!(
                "the line has {players} players, but hold'em supports {least} to {most}"
            ));
        }
        let block = game.new_block(players, deals);
        // Positions rotate. The player in seat 0 has position 0 in hand 0.
        let count = u32::from(block.players);
        let seat =
            u8::try_from((u32::from(state.position) + state.hand % count) % count).unwrap_or(0);
        Ok(HandTracker {
            game,
            block,
            deal: game.new_deal(),
            seat,
            hand: None,
            view: View::zeroed(),
        })
    }

    /// Starts the hand to which the line `state` belongs. The view then shows the hand before its
    /// first action.
    ///
    /// # Errors
    /// Returns an error if the players or cards of the line do not fit the match.
    pub(super) fn start_hand(&mut self, state: &MatchState) -> Result<(), String> {
        let count = self.block.players;
        self.block.memory.button = (self.seat + 2 * count - state.position % count - 1) % count;
        self.hand = Some(state.hand);
        let mut cards = state.cards.clone();
        cards.board.clear();
        replay(
            self.game,
            &self.block,
            &RoundActions(vec![Vec::new()]),
            &cards,
            &mut self.deal,
        )?;
        self.update_view();
        Ok(())
    }

    /// Replays a line of the current hand. Returns the seat that must act after the line; `None` if
    /// the hand is over.
    ///
    /// # Errors
    /// Returns an error if the line contradicts the rules.
    pub(super) fn replay_line(&mut self, state: &MatchState) -> Result<Option<u8>, String> {
        replay(
            self.game,
            &self.block,
            &state.rounds,
            &state.cards,
            &mut self.deal,
        )?;
        let to_act = self.game.to_act(&self.deal);
        if to_act.is_none() && !is_shown(&self.deal, &state.cards) {
            return Err("the line ends in a showdown, but does not show the hands".into());
        }
        self.update_view();
        Ok(to_act)
    }

    fn update_view(&mut self) {
        self.game
            .view(&self.block, &self.deal, self.seat, &mut self.view);
    }

    /// Returns the current observation for the bot.
    pub(super) fn observation(&self) -> Observation<'_> {
        Observation::of::<Holdem>(&self.view, self.game.history(&self.deal))
    }

    /// Returns the legal actions of the player.
    pub(super) fn legal_actions(&self) -> Vec<Action> {
        self.game.legal_actions(&self.deal)
    }

    /// Returns the player's choice in the notation of the protocol: `f`, `c`, or `r` with an
    /// amount.
    pub(super) fn action_text(&self, choice: &Move<Action>) -> String {
        let seat = usize::from(self.seat);
        let before = self.deal.betting.paid[seat] - self.deal.betting.bets[seat];
        state_action(
            &choice.action,
            choice.amount,
            before,
            self.game.form().limit == BetLimit::NoLimit,
        )
        .to_string()
    }

    /// Ends the hand and returns the payoffs by seat.
    pub(super) fn end(&mut self) -> Vec<i64> {
        let mut payoffs = vec![0; usize::from(self.block.players)];
        self.game.finish(&mut self.block, &self.deal, &mut payoffs);
        self.update_view();
        payoffs
    }
}
