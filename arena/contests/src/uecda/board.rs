//! The tables that a UECda server sends, built from the view of a seat and the public history.

use super::table::{NOBODY, PLAYERS_ROW, ProtocolTable, STATE, exchanged, players, state};
use hattari_plugin::games::daihinmin::card::CardSet;
use hattari_plugin::games::daihinmin::{Action, NONE, PLAYERS, View, flag, phase};

/// The public state of a game, and the hand of the player who receives the tables.
pub(super) struct Board {
    /// Player number of the receiver.
    me: u8,
    /// Player in each seat.
    seats: [u8; PLAYERS],
    /// Table with the state flags and the row of players only.
    public: ProtocolTable,
    /// Hand of the receiver.
    pub hand: CardSet,
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
        let mut dealt = view.cards_left;
        for (left, shown) in dealt.iter_mut().zip(view.titles) {
            *left = left.saturating_add_signed(-exchanged(title(shown)));
        }
        let mut public = ProtocolTable::ZERO;
        public.put_flags(flag::EMPTY);
        public.put_players(players::CARDS_LEFT, by_player(dealt));
        // A game without titles shows zeros.
        if view.titles != [NONE; PLAYERS] {
            public.put_players(players::TITLES, by_player(view.titles));
        }
        public.put_players(players::SEATS, view.players);
        let mut table = public;
        // The table still shows the cards that a player is about to lose.
        table.put_hand(view.hand | view.given);
        table.0[STATE][state::START] = 1;
        let own_title = title(view.titles[usize::from(view.seat)]);
        table.0[STATE][state::GIVE] = exchanged(own_title).into();
        table.0[STATE][state::PLAYER] = NOBODY;
        let board = Board {
            me,
            seats: view.players,
            public,
            hand: view.hand,
            on_table: Action::PASS,
            lone_joker: None,
        };
        (board, table)
    }

    /// Returns the table before a turn of the player in `seat`.
    pub(super) fn table_before_turn(&self, seat: u8) -> ProtocolTable {
        let mut table = self.public;
        table.put_hand(self.hand);
        let player = self.player(seat);
        table.0[STATE][state::MY_TURN] = i32::from(player == self.me);
        table.0[STATE][state::PLAYER] = i32::from(player);
        table
    }

    /// Returns the table after a turn of the player in `seat`, with the cards on the table.
    pub(super) fn table_after_turn(&self, seat: u8) -> ProtocolTable {
        let mut table = self.public;
        match self.lone_joker {
            Some((row, column)) => table.0[row][column] = 2,
            None => table.put_action(&self.on_table),
        }
        table.0[STATE][state::PLAYER] = i32::from(self.player(seat));
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
        self.public.put_flags(flags);
        if action.is_pass() {
            return;
        }
        (self.on_table, self.lone_joker) = (*action, lone_joker);
        let left = &mut self.public.0[PLAYERS_ROW][players::CARDS_LEFT + usize::from(player)];
        *left = (*left - i32::from(action.count)).max(0);
        if player == self.me {
            self.hand &= !action.cards;
        }
    }

    /// Starts a new trick.
    pub(super) fn start_trick(&mut self, flags: u8) {
        self.public.put_flags(flags);
        (self.on_table, self.lone_joker) = (Action::PASS, None);
    }

    fn player(&self, seat: u8) -> u8 {
        self.seats[usize::from(seat)]
    }
}
