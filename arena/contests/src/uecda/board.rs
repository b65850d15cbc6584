//! The tables that a UECda server sends, built from the view of a seat and the public history.

use super::table::{NOBODY, ProtocolTable, STATE, exchanged, players, state};
use hattari_plugin::games::daihinmin::card::CardSet;
use hattari_plugin::games::daihinmin::{Action, NONE, PLAYERS, View, flag, phase};

/// The public state of a game, and the hand of the player who receives the tables. Arrays are
/// indexed by player, except `seats`.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Player number of the receiver.
    me: u8,
    /// Player in each seat.
    seats: [u8; PLAYERS],
    /// Title of each player; all 0 in a game without titles.
    titles: [u8; PLAYERS],
    /// Number of cards that each player has left.
    left: [u8; PLAYERS],
    /// Hand of the receiver.
    pub hand: CardSet,
    /// State flags, a set of bits from [`flag`].
    pub flags: u8,
    /// The play on the table; a pass if the table is empty.
    on_table: Action,
    /// Cell (row, column) of the joker on the table if a client has played it alone; otherwise
    /// `None`.
    lone_joker: Option<(usize, usize)>,
}

impl Board {
    /// Returns the state after the exchange, and the table that starts a game. `view` is the view
    /// of player `me`, the receiver of the tables, before the first decision.
    pub(super) fn start(view: &View, me: u8) -> (Board, ProtocolTable) {
        let by_player = |by_seat: [u8; PLAYERS]| {
            let mut values = [0; PLAYERS];
            view.players
                .iter()
                .zip(by_seat)
                .for_each(|(&player, value)| values[usize::from(player)] = value);
            values
        };
        let exchanges = view.phase == phase::EXCHANGE;
        let title = |title: u8| if exchanges { title } else { 2 };
        // Servers show the numbers of cards before the exchange, but the view already contains the
        // cards taken from the lowest titles.
        let mut dealt = [0; PLAYERS];
        for (seat, dealt) in dealt.iter_mut().enumerate() {
            let left = i32::from(view.cards_left[seat]);
            let change = i32::from(exchanged(title(view.titles[seat])));
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
        let mut table = ProtocolTable::ZERO;
        // The table still shows the cards that a player is about to lose.
        table.put_hand(view.hand | view.given);
        table.0[STATE][state::START] = 1;
        let own_title = title(view.titles[usize::from(view.seat)]);
        table.0[STATE][state::GIVE] = exchanged(own_title).into();
        table.0[STATE][state::PLAYER] = NOBODY;
        board.put_public(&mut table);
        (board, table)
    }

    /// Returns the table before a turn of the player in `seat`.
    pub(super) fn table_before_turn(&self, seat: u8) -> ProtocolTable {
        let mut table = ProtocolTable::ZERO;
        table.put_hand(self.hand);
        let player = self.player(seat);
        table.0[STATE][state::MY_TURN] = i32::from(player == self.me);
        table.0[STATE][state::PLAYER] = i32::from(player);
        self.put_public(&mut table);
        table
    }

    /// Returns the table after a turn of the player in `seat`, with the cards on the table.
    pub(super) fn table_after_turn(&self, seat: u8) -> ProtocolTable {
        let mut table = ProtocolTable::ZERO;
        match self.lone_joker {
            Some((row, column)) => table.0[row][column] = 2,
            None => table.put_action(&self.on_table),
        }
        table.0[STATE][state::PLAYER] = i32::from(self.player(seat));
        self.put_public(&mut table);
        table
    }

    /// Applies an action of the player in `seat`. `flags` are the state flags after it.
    /// `lone_joker` is the cell (row, column) of a joker that a client has played alone.
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

    /// Starts a new trick.
    pub(super) fn start_trick(&mut self, flags: u8) {
        self.flags = flags;
        (self.on_table, self.lone_joker) = (Action::PASS, None);
    }

    fn player(&self, seat: u8) -> u8 {
        self.seats.get(usize::from(seat)).copied().unwrap_or(0)
    }

    fn put_public(&self, table: &mut ProtocolTable) {
        table.put_flags(self.flags);
        table.put_players(players::CARDS_LEFT, self.left);
        table.put_players(players::TITLES, self.titles);
        table.put_players(players::SEATS, self.seats);
    }
}
