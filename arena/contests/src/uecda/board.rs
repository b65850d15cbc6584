//! What a contest's server shows of a game: tables made from a seat's view and the public record.

use super::table::{NOBODY, STATE, Table, players, state};
use hattari_plugin::games::daihinmin::card::CardSet;
use hattari_plugin::games::daihinmin::{Action, NONE, PLAYERS, View, flag, phase};

/// Cards that change hands by title: the first two give of their choice, the last two lose their
/// strongest.
const EXCHANGED: [i32; PLAYERS] = [2, 1, 0, -1, -2];

/// The public state of a game, by player, and the receiver's hand.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The receiver.
    me: u8,
    /// Player in each seat.
    seats: [u8; PLAYERS],
    /// Title of each player, 0 in a fresh game.
    titles: [u8; PLAYERS],
    /// Cards left of each player.
    left: [u8; PLAYERS],
    /// The receiver's cards.
    pub hand: CardSet,
    /// State of the table as events show it.
    pub flags: u8,
    /// The play on the table; a pass while it is empty.
    on_table: Action,
    /// Where it was put, if it is the joker alone and a client has said so.
    lone_joker: Option<(usize, usize)>,
}

impl Board {
    /// The table that a game starts with, and the board after the exchange that follows; `view` is
    /// what the receiver, player `me`, sees before the first decision.
    #[must_use]
    pub(super) fn start(view: &View, me: u8) -> (Board, Table) {
        let by_player = |by_seat: [u8; PLAYERS]| {
            let mut values = [0; PLAYERS];
            view.players
                .iter()
                .zip(by_seat)
                .for_each(|(&player, value)| values[usize::from(player)] = value);
            values
        };
        let exchanges = view.phase == phase::EXCHANGE;
        let title = |title: u8| if exchanges { usize::from(title) } else { 2 };
        // Servers count the cards as they were dealt; here the tribute has been taken.
        let mut dealt = [0; PLAYERS];
        for (seat, dealt) in dealt.iter_mut().enumerate() {
            let left = i32::from(view.cards_left[seat]);
            let change = EXCHANGED
                .get(title(view.titles[seat]))
                .copied()
                .unwrap_or(0);
            *dealt = u8::try_from(left - change).unwrap_or(0);
        }
        let fresh = view.titles == [NONE; PLAYERS];
        let board = Board {
            me,
            seats: view.players,
            titles: if fresh {
                [0; PLAYERS]
            } else {
                by_player(view.titles)
            },
            left: by_player(dealt),
            hand: view.hand,
            flags: flag::EMPTY,
            on_table: Action::PASS,
            lone_joker: None,
        };
        let mut table = Table::ZERO;
        // Who loses cards still sees them.
        table.put_hand(view.hand | view.given);
        table.0[STATE][state::START] = 1;
        table.0[STATE][state::GIVE] = EXCHANGED
            .get(title(view.titles[usize::from(view.seat)]))
            .copied()
            .unwrap_or(0);
        table.0[STATE][state::PLAYER] = NOBODY;
        board.put_public(&mut table);
        (board, table)
    }

    /// The table before a turn of the player in `seat`.
    #[must_use]
    pub(super) fn turn(&self, seat: u8) -> Table {
        let mut table = Table::ZERO;
        table.put_hand(self.hand);
        let player = self.player(seat);
        table.0[STATE][state::MY_TURN] = i32::from(player == self.me);
        table.0[STATE][state::PLAYER] = i32::from(player);
        self.put_public(&mut table);
        table
    }

    /// The table after a turn of the player in `seat`: what lies on it.
    #[must_use]
    pub(super) fn field(&self, seat: u8) -> Table {
        let mut table = Table::ZERO;
        match self.lone_joker {
            Some((row, column)) => table.0[row][column] = 2,
            None => table.put_action(&self.on_table),
        }
        table.0[STATE][state::PLAYER] = i32::from(self.player(seat));
        self.put_public(&mut table);
        table
    }

    /// An action of the player in `seat`, after which the table has these flags; `lone_joker` is
    /// the row and the column in which a client has put the joker that is all of its play.
    pub(super) fn act(
        &mut self,
        seat: u8,
        action: &Action,
        flags: u8,
        lone_joker: Option<(usize, usize)>,
    ) {
        let player = self.player(seat);
        self.flags = flags;
        if action.is_pass() {
            return;
        }
        (self.on_table, self.lone_joker) = (*action, lone_joker);
        let left = &mut self.left[usize::from(player)];
        *left = left.saturating_sub(action.count);
        if player == self.me {
            self.hand &= !action.cards;
        }
    }

    /// A new trick.
    pub(super) fn lead(&mut self, flags: u8) {
        self.flags = flags;
        (self.on_table, self.lone_joker) = (Action::PASS, None);
    }

    fn player(&self, seat: u8) -> u8 {
        self.seats.get(usize::from(seat)).copied().unwrap_or(0)
    }

    fn put_public(&self, table: &mut Table) {
        table.put_flags(self.flags);
        table.put_players(players::CARDS_LEFT, self.left);
        table.put_players(players::TITLES, self.titles);
        table.put_players(players::SEATS, self.seats);
    }
}
