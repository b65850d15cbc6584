//! Writes a game in progress as a record for the corpus of recorded games.

use super::card::{self, CardSet};
use super::corpus::{ACCEPTED, CorpusRecord, CorpusTurn, PASSED};
use super::{Action, Block, Daihinmin, Deal, Event, NONE, PLAYERS, event, flag, kind};
use crate::Game;

/// A recorder of a game in progress.
#[derive(Clone, Debug)]
pub struct CorpusRecorder {
    record: CorpusRecord,
    /// State of the table, as in [`Event::flags`].
    flags: u8,
    seats: [u8; PLAYERS],
}

impl CorpusRecorder {
    /// Starts the record of a deal in which no decision has been made yet. The record numbers the
    /// players in the order of [`Block::numbers`], so a player has the same number in all blocks.
    pub fn new(rules: &Daihinmin, block: &Block, deal: &Deal) -> CorpusRecorder {
        let public = deal.public(block);
        let fresh = public.titles == [NONE; PLAYERS];
        let players = public.players.map(|player| block.place_of(player));
        let mut record = CorpusRecord {
            fresh,
            titles: None,
            seats: players,
            before: Default::default(),
            given: Default::default(),
            hands: by_player(players, deal.hands()),
            turns: Vec::new(),
            finish: Vec::new(),
            left: Vec::new(),
        };
        let mut titles = [0; PLAYERS];
        for (seat, &player) in (0..).zip(&players) {
            let view = rules.view_of(block, deal, seat);
            // Records show the hands before cards are taken from the lower titles.
            record.before[usize::from(player)] = names(view.hand | view.given);
            titles[usize::from(player)] = public.titles[usize::from(seat)];
        }
        record.titles = (!fresh).then_some(titles);
        CorpusRecorder {
            record,
            flags: flag::EMPTY,
            seats: players,
        }
    }

    /// Adds a choice of the player in `seat`. `events` are the events that it caused.
    pub fn act(&mut self, deal: &Deal, seat: u8, action: &Action, events: &[Event]) {
        let player = self.seats.get(usize::from(seat)).copied().unwrap_or(0);
        if action.kind == kind::GIVE {
            self.record.given[usize::from(player)] = Some(names(action.cards));
            self.record.hands = by_player(self.seats, deal.hands());
            return;
        }
        let up = |flag| u8::from(self.flags & flag != 0);
        self.record.turns.push(CorpusTurn {
            player,
            cards: action.to_string(),
            answer: if action.is_pass() { PASSED } else { ACCEPTED },
            empty: up(flag::EMPTY),
            lock: up(flag::LOCK),
            revolution: up(flag::REVOLUTION),
        });
        for event in events {
            self.flags = event.flags;
            if event.kind == event::OUT {
                self.record.finish.push(self.seats[usize::from(event.seat)]);
                let left = deal.hands()[usize::from(event.seat)].count_ones();
                self.record.left.extend((left != 0).then_some(left));
            }
        }
    }

    /// Returns the record of the finished game.
    #[must_use]
    pub fn finish(self) -> CorpusRecord {
        self.record
    }
}

fn by_player(players: [u8; PLAYERS], hands: &[CardSet; PLAYERS]) -> [Vec<String>; PLAYERS] {
    let mut named: [Vec<String>; PLAYERS] = Default::default();
    for (&player, &hand) in players.iter().zip(hands) {
        named[usize::from(player)] = names(hand);
    }
    named
}

fn names(cards: CardSet) -> Vec<String> {
    card::cells(cards)
        .filter_map(card::name)
        .map(str::to_owned)
        .collect()
}
