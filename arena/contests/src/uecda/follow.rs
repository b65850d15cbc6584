//! The state of a game, reconstructed from the server's tables, with the view and history for the
//! bot.
//!
//! The player to move, the ends of tricks and the hand are taken from the tables, because servers
//! differ: some end tricks early, others give the last player another turn. Cards that were played,
//! players who have passed and effects of plays are computed, because the tables do not contain
//! them.

use super::table::{
    Cells, PLAYERS_ROW, ProtocolTable, STATE, TablePlay, exchanged, players, state,
};
use bytemuck::Zeroable;
use hattari_plugin::games::daihinmin::card::{COLUMN_6, CardSet, PACK, column_set};
use hattari_plugin::games::daihinmin::{
    Action, Event, NONE, Options, PLAYERS, Situation, View, check_play, effect, event, flag, kind,
    legal_gifts, phase, rule, strongest,
};

/// Maximum number of dealt cards in a hand.
const DEALT_MAX: u8 = 11;

/// The state of a match and of its current game, from the perspective of one player.
pub(super) struct GameTracker {
    options: Options,
    /// Number of our player, from 0 to 4.
    me: u8,
    /// View for the bot.
    pub view: View,
    /// Public history of the current game.
    pub history: Vec<Event>,
    /// Points of each player so far.
    points: [i32; PLAYERS],
    /// Number of games with places that the server drew and did not show.
    pub games_with_unknown_places: u32,
    /// Seat of the current or last turn.
    seat: u8,
    /// True until the first turn of the game.
    is_before_first_turn: bool,
    /// Cards in the last table that showed a play, and the cells (row, column) of its jokers.
    shown_cards: (CardSet, Vec<(usize, usize)>),
    /// Bit set of the seats that have finished.
    finished_seats: u8,
}

impl GameTracker {
    /// Creates the state before the first game. `deals` is the planned number of games, 0 if
    /// unknown. `me` is the number of the player.
    pub(super) fn new(options: Options, me: u8, deals: u32) -> GameTracker {
        GameTracker {
            options,
            me,
            view: View {
                deals,
                ..View::zeroed()
            },
            history: Vec::with_capacity(512),
            points: [0; PLAYERS],
            games_with_unknown_places: 0,
            seat: 0,
            is_before_first_turn: true,
            shown_cards: (0, Vec::new()),
            finished_seats: 0,
        }
    }

    /// Starts a game. Returns `true` if the player has to give cards.
    ///
    /// # Errors
    /// Returns an error if the seats, titles or numbers of cards in the table are invalid.
    pub(super) fn start(&mut self, table: &ProtocolTable) -> Result<bool, String> {
        let permutation = |part, what: &str| {
            let values = table
                .players(part)
                .filter(|values| (0..5).all(|number| values.contains(&number)));
            values.ok_or_else(|| {
                format!(
                    "{what} must be the numbers 0 to 4, each once (got {:?})",
                    &table.0[PLAYERS_ROW][part..part + 5]
                )
            })
        };
        let seats = permutation(players::SEATS, "the players in the seats")?;
        let fresh = table.0[PLAYERS_ROW][players::TITLES..players::SEATS]
            .iter()
            .all(|&title| title == 0);
        let titles = if fresh {
            None
        } else {
            Some(permutation(players::TITLES, "the titles")?)
        };
        let by_seat = |by_player: [u8; PLAYERS]| seats.map(|player| by_player[usize::from(player)]);
        let mut left = by_seat(
            table
                .players(players::CARDS_LEFT)
                .ok_or("the number of cards of a player is invalid")?,
        );
        let titles = titles.map_or([NONE; PLAYERS], by_seat);
        let seat = (0..)
            .zip(seats)
            .find_map(|(seat, player)| (player == self.me).then_some(seat));
        let seat: u8 = seat.ok_or_else(|| format!("player {} has no seat", self.me))?;
        let hand = table.cells().cards();
        let own_title = titles[usize::from(seat)];
        // The table shows an exchange only to the players who choose cards to give. For the others,
        // the exchange follows from the rules.
        let give = u8::try_from(table.0[STATE][state::GIVE]).unwrap_or(0);
        let exchanges = !fresh && (give > 0 || (self.options.exchange && own_title > 1));
        let mut given = 0;
        if exchanges {
            // Most servers show the number of dealt cards. Some servers add the cards that the two
            // highest titles receive.
            let has_received = |(&title, &left): (&u8, &u8)| title == 0 && left > DEALT_MAX;
            let have_received = titles.iter().zip(&left).any(has_received);
            // The table still shows the cards that a player is about to lose.
            if own_title > 2 && hand.count_ones() == u32::from(left[usize::from(seat)]) {
                given = strongest(hand, exchanged(own_title).unsigned_abs());
            }
            for (left, &title) in left.iter_mut().zip(&titles) {
                if title > 1 || !have_received {
                    *left = left.saturating_add_signed(exchanged(title));
                }
            }
        }
        self.view = View {
            size: u32::try_from(size_of::<View>()).expect("views are small"),
            deal: self.view.deal,
            deals: self.view.deals,
            seat,
            phase: if exchanges {
                phase::EXCHANGE
            } else {
                phase::PLAY
            },
            // The highest title chooses first, so its holder can choose at once.
            give: if give > 0 && own_title == 0 { give } else { 0 },
            fresh: u8::from(fresh),
            table_seat: NONE,
            ask_last: u8::from(self.options.ask_last_player_again),
            rules: self.options.flags(),
            hand: hand & !given,
            given,
            points: seats.map(|player| self.points[usize::from(player)]),
            players: seats,
            cards_left: left,
            titles,
            places: [NONE; PLAYERS],
            ..View::zeroed()
        };
        self.history.clear();
        (self.seat, self.is_before_first_turn, self.finished_seats) = (NONE, true, 0);
        self.shown_cards = (0, Vec::new());
        Ok(give > 0)
    }

    /// Sets `actions` to the sets of cards that the player may give.
    pub(super) fn list_gifts(&mut self, actions: &mut Vec<Action>) {
        let mine = self.view.titles[usize::from(self.view.seat)];
        self.view.give = exchanged(mine).unsigned_abs();
        if mine == 1 {
            // The highest title has already given its cards.
            for (left, &title) in self.view.cards_left.iter_mut().zip(&self.view.titles) {
                match title {
                    0 => *left -= 2,
                    4 => *left += 2,
                    _ => {}
                }
            }
        }
        legal_gifts(self.view.hand, self.view.give, actions);
    }

    /// Starts a turn. Returns `true` if it is the turn of the player.
    ///
    /// # Errors
    /// Returns an error if the table gives the turn to a player who does not exist.
    pub(super) fn start_turn(&mut self, table: &ProtocolTable) -> Result<bool, String> {
        let player = table.0[STATE][state::PLAYER];
        let seat = (0..)
            .zip(self.view.players)
            .find_map(|(seat, other)| (i32::from(other) == player).then_some(seat));
        let seat: u8 = seat
            .ok_or_else(|| format!("the turn is given to player {player}, who does not exist"))?;
        let hand = table.cells().cards();
        let shown = table.flags();
        if self.is_before_first_turn {
            self.end_exchange(hand);
        } else {
            // A player has at most one turn after passing in a trick. A further turn means that a
            // new trick begins.
            let was_empty = self.view.table_seat == NONE;
            let is_empty = shown & flag::EMPTY != 0;
            if (is_empty && !was_empty) || self.view.passed & 1 << seat != 0 {
                self.start_trick(seat);
            }
        }
        self.view.hand = hand;
        self.view.revolution = u8::from(shown & flag::REVOLUTION != 0);
        self.view.lock = u8::from(shown & flag::LOCK != 0);
        self.view.eleven_back = u8::from(shown & flag::ELEVEN_BACK != 0);
        for (left, player) in self.view.cards_left.iter_mut().zip(self.view.players) {
            let told = table.0[PLAYERS_ROW][players::CARDS_LEFT + usize::from(player)];
            *left = u8::try_from(told)
                .ok()
                .filter(|&told| u32::from(told) <= PACK.count_ones())
                .unwrap_or(*left);
        }
        self.seat = seat;
        Ok(table.0[STATE][state::MY_TURN] != 0)
    }

    /// Ends the exchange. Finds the cards given and received by comparing `hand` with the hand
    /// before the exchange.
    fn end_exchange(&mut self, hand: CardSet) {
        let before = self.view.hand;
        let mine = self.view.titles[usize::from(self.view.seat)];
        if mine < 2 {
            self.view.given |= before & !hand;
        } else {
            self.view.received |= hand & !before;
        }
        (self.view.phase, self.view.give, self.is_before_first_turn) = (phase::PLAY, 0, false);
    }

    fn start_trick(&mut self, seat: u8) {
        self.view.table = Action::zeroed();
        (self.view.table_seat, self.view.passed) = (NONE, 0);
        (self.view.lock, self.view.eleven_back) = (0, 0);
        self.push_event(event::LEAD, seat, 0, Action::zeroed());
    }

    /// Sets `actions` to the legal plays of the player.
    pub(super) fn list_plays(&self, actions: &mut Vec<Action>) {
        hattari_plugin::games::daihinmin::moves::legal_plays(
            self.view.hand,
            &Situation::from(&self.view),
            actions,
        );
    }

    /// Records the play or pass of the turn that has ended. `table` shows the cards on the table.
    pub(super) fn end_turn(&mut self, table: &ProtocolTable) {
        let seat = self.seat;
        let cells = table.cells();
        let is_bare = cells.suited == 0 && cells.joker_cells.is_empty();
        // A card can be played only once in a game, so an unchanged table means a pass.
        let lying = (cells.suited, cells.joker_cells.clone());
        if is_bare || lying == self.shown_cards {
            self.view.passed |= 1 << seat;
            return self.push_event(event::ACTION, seat, 0, Action::PASS);
        }
        self.shown_cards = lying;
        let action = self.play_of_cells(&cells);
        self.apply_play(seat, &action);
        self.push_event(event::ACTION, seat, 0, action);
        if self.view.cards_left[usize::from(seat)] == 0 {
            self.go_out(seat);
        }
    }

    /// Returns the play that a table shows, with its effects. An illegal play that the server
    /// accepted is returned without effects.
    fn play_of_cells(&self, cells: &Cells) -> Action {
        match cells.interpret() {
            TablePlay::Play(play) => check_play(&play, PACK, &Situation::from(&self.view))
                .unwrap_or_else(|why| {
                    tracing::warn!("the server has accepted {play}, which is illegal: {why}");
                    play
                }),
            TablePlay::Pass | TablePlay::Invalid(..) => {
                tracing::warn!("the server has accepted cards that are not a play");
                let cards = cells.cards();
                let count = u8::try_from(cards.count_ones()).unwrap_or(0);
                Action {
                    cards,
                    cells: cells.suited,
                    kind: kind::GROUP,
                    count,
                    joker: NONE,
                    ..Action::zeroed()
                }
            }
        }
    }

    fn apply_play(&mut self, seat: u8, action: &Action) {
        let view = &mut self.view;
        view.gone |= action.cards;
        if seat == view.seat {
            view.hand &= !action.cards;
        }
        let left = &mut view.cards_left[usize::from(seat)];
        *left = left.saturating_sub(action.count);
        (view.table, view.table_seat) = (*action, seat);
        let turned = |effect| u8::from(action.effects & effect != 0);
        view.revolution ^= turned(effect::REVOLUTION);
        view.eleven_back ^= turned(effect::ELEVEN_BACK);
        view.lock |= turned(effect::LOCK);
        if action.is_lone_joker() {
            view.lock = 0;
        }
        if view.rules & rule::SIX_REVERSE != 0 && action.cells & column_set(COLUMN_6) != 0 {
            view.rules ^= rule::BACKWARDS;
        }
    }

    fn go_out(&mut self, seat: u8) {
        self.view.out |= 1 << seat;
        self.assign_place(seat);
        if self.finished_seats.count_ones() == 4
            && let Some(last) = (0..5).find(|seat| self.finished_seats & 1 << seat == 0)
        {
            self.assign_place(last);
        }
    }

    fn assign_place(&mut self, seat: u8) {
        if self.finished_seats & 1 << seat != 0 {
            return;
        }
        let place = u8::try_from(self.finished_seats.count_ones()).unwrap_or(0);
        self.finished_seats |= 1 << seat;
        self.view.places[usize::from(seat)] = place;
        self.push_event(event::OUT, seat, place, Action::zeroed());
    }

    fn push_event(&mut self, kind: u8, seat: u8, place: u8, action: Action) {
        self.history.push(Event {
            kind,
            seat,
            flags: self.view.flags(),
            place,
            reserved: 0,
            action,
        });
    }

    /// Ends the game and returns the points by player.
    ///
    /// `next` is the first table of the next game, if there is one. Its titles give the places that
    /// are not yet known. Without a next table, the remaining players are placed in the order of
    /// their seats.
    pub(super) fn end(&mut self, next: Option<&ProtocolTable>) -> [i64; PLAYERS] {
        // If a game ends because of too many passes, the server draws the remaining places and
        // shows them at the start of the next game.
        if self.finished_seats != 0x1f {
            let titles = next
                .and_then(|table| table.players(players::TITLES))
                .filter(|t| t.iter().any(|&title| title != 0));
            let mut seats: Vec<u8> = (0..5).collect();
            if let Some(titles) = titles {
                seats
                    .sort_by_key(|&seat| titles[usize::from(self.view.players[usize::from(seat)])]);
            } else {
                self.games_with_unknown_places += 1;
            }
            seats.into_iter().for_each(|seat| self.assign_place(seat));
        }
        let mut payoffs = [0; PLAYERS];
        for (&player, &place) in self.view.players.iter().zip(&self.view.places) {
            let points = self.options.points[usize::from(place)];
            let player = usize::from(player);
            payoffs[player] = i64::from(points);
            self.points[player] = self.points[player].saturating_add(points);
        }
        self.view.points = self
            .view
            .players
            .map(|player| self.points[usize::from(player)]);
        self.view.phase = phase::OVER;
        self.view.deal += 1;
        payoffs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_places_that_the_server_did_not_send_are_counted() {
        let start = |titles: [i32; PLAYERS]| {
            let mut table = ProtocolTable([[0; 15]; 8]);
            table.0[PLAYERS_ROW][players::TITLES..players::SEATS].copy_from_slice(&titles);
            table.0[PLAYERS_ROW][players::SEATS..].copy_from_slice(&[0, 1, 2, 3, 4]);
            table
        };
        let mut tracker = GameTracker::new(Options::default(), 0, 3);
        // The next game has titles, or none because they were reset, or there is no next game.
        for (next, payoffs, unknown) in [
            (Some(start([4, 3, 2, 1, 0])), [1, 2, 3, 4, 5], 0),
            (Some(start([0; 5])), [5, 4, 3, 2, 1], 1),
            (None, [5, 4, 3, 2, 1], 2),
        ] {
            tracker.start(&start([0; 5])).unwrap();
            assert_eq!(tracker.end(next.as_ref()), payoffs);
            assert_eq!(tracker.games_with_unknown_places, unknown);
        }
    }
}
