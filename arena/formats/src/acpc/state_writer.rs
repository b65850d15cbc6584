//! Conversion of a deal's events to match states.

use super::position;
use super::state::{KnownCards, MatchState, RoundActions, StateAction};
use hattari_games::holdem::Event;
use hattari_games::poker::card::{self, CardSet};
use hattari_games::poker::{SEATS_MAX, event};

/// The betting and known cards of a deal in progress, updated event by event.
#[derive(Clone, Debug)]
pub struct StateWriter {
    no_limit: bool,
    players: u8,
    button: u8,
    pub(super) rounds: RoundActions,
    pub(super) cards: KnownCards,
    /// Chips that each seat has put in on earlier streets.
    before: [i64; SEATS_MAX],
    /// Chips that each seat has put in on the current street.
    bets: [i64; SEATS_MAX],
}

impl StateWriter {
    /// Creates a writer for a new deal. No cards are known yet.
    #[must_use]
    pub fn new(no_limit: bool, players: u8, button: u8) -> StateWriter {
        let cards = KnownCards {
            holes: vec![Vec::new(); usize::from(players)],
            board: Vec::new(),
        };
        let (before, bets) = ([0; SEATS_MAX], [0; SEATS_MAX]);
        StateWriter {
            no_limit,
            players,
            button,
            rounds: RoundActions(vec![Vec::new()]),
            cards,
            before,
            bets,
        }
    }

    /// Records the hole cards of a seat. They are listed highest first.
    pub fn reveal(&mut self, seat: u8, hand: CardSet) {
        let position = usize::from(position(seat, self.button, self.players));
        if let Some(hole) = self.cards.holes.get_mut(position) {
            *hole = descending_cards(hand);
        }
    }

    /// Returns `true` if the event is an action of a player. Each action, with the events that it
    /// causes, leads to a new state.
    #[must_use]
    pub fn is_player_action(event: &Event) -> bool {
        matches!(
            event.kind,
            event::FOLD | event::CHECK | event::CALL | event::RAISE
        )
    }

    /// Adds the next event.
    pub fn push(&mut self, event: &Event) {
        let seat = usize::from(event.seat).min(SEATS_MAX - 1);
        match event.kind {
            event::FOLD => self.act(StateAction::Fold),
            event::CHECK => self.act(StateAction::Call),
            event::CALL => {
                self.bets[seat] += event.amount;
                self.act(StateAction::Call);
            }
            event::RAISE => {
                self.bets[seat] = event.amount;
                let total = self.before[seat] + event.amount;
                self.act(StateAction::Raise(self.no_limit.then_some(total)));
            }
            event::BLIND => self.bets[seat] += event.amount,
            event::RETURN => self.bets[seat] -= event.amount,
            event::STREET => {
                self.before
                    .iter_mut()
                    .zip(&mut self.bets)
                    .for_each(|(before, bet)| *before += std::mem::take(bet));
                self.rounds.0.push(Vec::new());
                self.cards.board.push(descending_cards(event.cards));
            }
            event::SHOW => self.reveal(event.seat, event.cards),
            _ => {}
        }
    }

    fn act(&mut self, act: StateAction) {
        if let Some(round) = self.rounds.0.last_mut() {
            round.push(act);
        }
    }

    /// Returns the state of hand `hand` as the player in `seat` sees it.
    #[must_use]
    pub fn state(&self, seat: u8, hand: u32) -> MatchState {
        let position = position(seat, self.button, self.players);
        MatchState {
            position,
            hand,
            rounds: self.rounds.clone(),
            cards: self.cards.clone(),
        }
    }
}

fn descending_cards(set: CardSet) -> Vec<u8> {
    let mut cards: Vec<u8> = card::cards(set).collect();
    cards.reverse();
    cards
}
