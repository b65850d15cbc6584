//! A seat that is played by a UECda client. The client receives the events since its last turn in
//! the same form as from the contest's server. The table with which it answers is converted to a
//! choice.

use super::board::Board;
use super::table::{
    ACCEPTED, GAME_CONTINUES, GAME_OVER, MATCH_OVER, PASSED, ProtocolTable, TablePlay, Version,
    put_number,
};
use hattari_agents::agent::socket::SeatClient;
use hattari_agents::agent::{Agent, AgentError, AgentResult, FaultScope, Notice, Turn};
use hattari_agents::record::FaultKind;
use hattari_plugin::Choice;
use hattari_plugin::games::daihinmin::card;
use hattari_plugin::games::daihinmin::notation::find;
use hattari_plugin::games::daihinmin::{
    Action, Daihinmin, Event, Situation, View, check_play, event, give, phase,
};
use std::cell::Cell;

/// Number of the last place; places are numbered from 0.
const LAST: u8 = 4;

thread_local! {
    /// Seat, and cell (row, column), of a joker that a client has played alone in the current deal
    /// of this thread. The contest's server shows the joker in the cell that the client chose, but
    /// the rules ignore this cell.
    static LONE_JOKER: Cell<Option<(u8, (usize, usize))>> = const { Cell::new(None) };
}

/// A seat and the UECda client that plays it.
pub(super) struct UecdaSeat {
    host: SeatClient,
    version: Version,
    me: u8,
    board: Option<Board>,
    /// Number of events of the history that the client has received.
    sent_events: usize,
    /// True if `board` contains the hand after the exchange, which is not known before the client's
    /// first turn.
    is_hand_known: bool,
    /// Answer to send when the client's own action appears in the history.
    answer: Option<i32>,
    /// True if a game is over and the client has not been notified yet. The notification waits
    /// until it is known whether the match is over as well.
    is_end_unsent: bool,
}

impl UecdaSeat {
    /// Creates a seat without a client.
    pub(super) fn new(host: SeatClient) -> UecdaSeat {
        let version = Version::Numbers;
        UecdaSeat {
            host,
            version,
            me: 0,
            board: None,
            sent_events: 0,
            is_hand_known: false,
            answer: None,
            is_end_unsent: false,
        }
    }

    fn put_table(&mut self, table: &ProtocolTable) {
        table.put(self.version, self.host.outbox());
    }

    fn put_number(&mut self, number: i32) {
        put_number(number, self.host.outbox());
    }

    /// Queues `number` (`GAME_OVER` or `MATCH_OVER`) if a game is over and the client has not been
    /// notified.
    fn queue_game_end(&mut self, number: i32) {
        if std::mem::take(&mut self.is_end_unsent) {
            self.put_number(number);
        }
    }

    /// Queues the tables and numbers for the events since the last call.
    fn queue_events(&mut self, view: &View, history: &[Event]) {
        let Some(mut board) = self.board.take() else {
            return;
        };
        let is_mine = |event: &Event| event.kind == event::ACTION && event.seat == view.seat;
        if !self.is_hand_known {
            // The hand after the exchange is computed at the client's first turn: the remaining
            // cards and the cards played since.
            let played = history
                .iter()
                .filter(|event| is_mine(event))
                .fold(0, |set, event| set | event.action.cards);
            board.hand = view.hand | played;
            self.is_hand_known = true;
        }
        for (number, event) in history.iter().enumerate().skip(self.sent_events) {
            match event.kind {
                event::LEAD => board.start_trick(event.flags),
                event::ACTION => {
                    // The client has received the table of its own turn when it was called.
                    match self.answer.take_if(|_| is_mine(event)) {
                        Some(answer) => self.put_number(answer),
                        None => self.put_table(&board.table_before_turn(event.seat)),
                    }
                    let by_client = LONE_JOKER
                        .get()
                        .filter(|&(seat, _)| seat == event.seat && event.action.is_lone_joker());
                    let lone_joker = by_client.map(|(_, cell)| cell);
                    board.act(event.seat, &event.action, event.flags, lone_joker);
                    self.put_table(&board.table_after_turn(event.seat));
                    let mut following = history[number + 1..]
                        .iter()
                        .take_while(|event| event.kind != event::ACTION);
                    let is_last =
                        following.any(|event| event.kind == event::OUT && event.place == LAST);
                    if is_last {
                        self.is_end_unsent = true;
                    } else {
                        self.put_number(GAME_CONTINUES);
                    }
                }
                _ => {}
            }
        }
        self.sent_events = history.len();
        self.board = Some(board);
    }

    fn ask(
        &mut self,
        call: &str,
        budget_us: i64,
    ) -> AgentResult<(ProtocolTable, Option<AgentError>)> {
        let version = self.version;
        let (table, late) = self.host.ask(call, budget_us, |stream, until| {
            ProtocolTable::read(version, stream, until)
        })?;
        match table {
            Ok(table) => Ok((table, late)),
            Err(nonsense) => {
                self.host.hang_up();
                Err(
                    AgentError::new(FaultKind::Error, format!("{call}: {nonsense}"))
                        .with_scope(FaultScope::Deal),
                )
            }
        }
    }

    /// Asks the client for the cards that it gives in the exchange. Returns the index of the gift
    /// in `actions`.
    fn exchange(&mut self, actions: &[Action], view: &View, budget_us: i64) -> AgentResult<usize> {
        let (table, late) = self.ask("exchange", budget_us)?;
        if let Some(late) = late {
            return Err(late);
        }
        let cells = table.cells();
        let illegal =
            |why: String| AgentError::new(FaultKind::IllegalAction, format!("exchange: {why}"));
        if let Some(why) = &cells.invalid_number {
            return Err(illegal(why.clone()));
        }
        if cells.misplaced || cells.joker_cells.len() > 1 {
            return Err(illegal(
                "a card is outside the thirteen ranks, or there are several jokers".into(),
            ));
        }
        let cards = cells.cards();
        position(actions, &give(cards)).ok_or_else(|| {
            let (cards, hand) = (card::describe(cards), card::describe(view.hand));
            illegal(format!(
                "the client gave {cards}; it must give {} cards of {hand}",
                view.give
            ))
        })
    }

    /// Asks the client for a play or a pass. Returns its index in `actions`.
    fn play(&mut self, actions: &[Action], view: &View, budget_us: i64) -> AgentResult<usize> {
        let (table, late) = self.ask("play", budget_us)?;
        let leads = view.table.is_pass();
        let pass = if leads { ACCEPTED } else { PASSED };
        if let Some(late) = late {
            // The play is late, so the fault rule replaces it by a pass.
            self.answer = Some(PASSED);
            return Err(late);
        }
        let cells = table.cells();
        let (answer, choice) = match cells.interpret() {
            TablePlay::Pass => (
                pass,
                actions
                    .iter()
                    .position(Action::is_pass)
                    .ok_or_else(|| "a pass".to_owned()),
            ),
            TablePlay::Play(play) => match position(actions, &play) {
                Some(index) => {
                    if play.is_lone_joker() {
                        LONE_JOKER.set(cells.joker_cells.first().map(|&cell| (view.seat, cell)));
                    }
                    (ACCEPTED, Ok(index))
                }
                None => {
                    let why = check_play(&play, view.hand, &Situation::from(view));
                    let why =
                        why.map_or_else(|why| why.to_string(), |_| "it may not be played".into());
                    (PASSED, Err(format!("{play}: {why}")))
                }
            },
            TablePlay::Invalid(why, is_pass) => (if is_pass { pass } else { PASSED }, Err(why)),
        };
        self.answer = Some(answer);
        choice.map_err(|why| AgentError::new(FaultKind::IllegalAction, format!("play: {why}")))
    }
}

/// Returns the index of the legal action that equals `action` in the notation of the protocol.
fn position(actions: &[Action], action: &Action) -> Option<usize> {
    let is_same = |legal: &Action| find(std::slice::from_ref(legal), action).is_some();
    actions.iter().position(is_same)
}

impl Agent for UecdaSeat {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        match notice {
            Notice::BlockStart(start) => {
                self.queue_game_end(MATCH_OVER);
                let greeting = self.host.connect()?;
                self.version = Version::of(greeting.version.into()).unwrap_or(Version::Numbers);
                self.me = u8::try_from(start.player).unwrap_or(0);
                (self.board, self.answer, self.is_end_unsent) = (None, None, false);
                self.put_number(self.me.into());
            }
            Notice::DealStart(seen) => {
                self.host.tidy();
                LONE_JOKER.set(None);
                self.queue_game_end(GAME_OVER);
                let (view, _) = seen.read::<Daihinmin>();
                let (board, table) = Board::start(view, self.me);
                self.put_table(&table);
                (
                    self.board,
                    self.sent_events,
                    self.is_hand_known,
                    self.answer,
                ) = (Some(board), 0, false, None);
            }
            // Queues the last events. The number that ends the game also states whether the match
            // is over. It is therefore sent at the start of the next game or at the end of the
            // block.
            Notice::DealEnd(seen, _) => {
                let (view, history) = seen.read::<Daihinmin>();
                self.queue_events(view, history);
            }
            Notice::BlockEnd => {
                self.queue_game_end(MATCH_OVER);
                self.host.disconnect();
            }
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let (view, history) = turn.seen.read::<Daihinmin>();
        let actions = turn.actions::<Daihinmin>();
        let chosen = if view.phase == phase::EXCHANGE {
            self.exchange(actions, view, turn.budget_us)?
        } else {
            self.queue_events(view, history);
            if let Some(board) = &self.board {
                let table = board.table_before_turn(view.seat);
                self.put_table(&table);
            }
            self.play(actions, view, turn.budget_us)?
        };
        Ok(chosen.into())
    }

    fn is_asked_when_forced(&self) -> bool {
        true
    }
}
