//! The thread of a table: plays games of the bots and the person, and sends messages to the page.

use super::session::{PersonReply, PlaySession, Question};
use anyhow::{bail, ensure};
use hattari_agents::agent::{Agent, AgentError, AgentResult, Call, CallResult, FaultScope, Turn};
use hattari_agents::record::{FaultKind, JobId};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockObserver, Decider, Position, TakenAction};
use hattari_play::prepared::PreparedLeague;
use hattari_plugin::Choice;
use hattari_report::replay::sentences::{
    TablePlayers, payoff_sentence, public_text, seat_names, sentence,
};
use hattari_report::replay::state::{patch, state};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Name of the person at the table.
const PERSON: &str = "You";

/// Options of a table.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct TableSetting {
    /// Number of the line-up.
    pub line_up: u32,
    /// Line-up position of the person.
    pub place: usize,
    /// Number of games.
    #[serde(default = "default_games", rename = "games")]
    pub deals: u32,
    /// Seed of the cards; `None` for a random one.
    pub seed: Option<u64>,
}

/// Returns the default number of games that a person plays at a table.
fn default_games() -> u32 {
    10
}

/// Plays until the games are over or the person has left. The last message to the page is the
/// number of games or an error.
pub(super) fn play(
    prepared: &PreparedLeague,
    setting: TableSetting,
    seed: u64,
    session: &Arc<PlaySession>,
) {
    let last = match play_out(prepared, setting, seed, session) {
        Ok(games) => json!({"kind": "done", "games": games}),
        Err(error) => json!({"kind": "broken", "text": format!("{error:#}")}),
    };
    session.end(&last);
}

/// Returns the number of games.
fn play_out(
    prepared: &PreparedLeague,
    setting: TableSetting,
    seed: u64,
    session: &Arc<PlaySession>,
) -> anyhow::Result<u32> {
    let game = prepared.game()?;
    let job = JobId {
        line_up: setting.line_up,
        block: 0,
    };
    let entrants = prepared.line_up(job);
    let names: Vec<String> = entrants
        .iter()
        .enumerate()
        .map(|(place, &entrant)| {
            if place == setting.place {
                PERSON.to_owned()
            } else {
                prepared.league.entrants[entrant].name.clone()
            }
        })
        .collect();
    let mut agents = prepared.open(job)?;
    agents[setting.place] = Box::new(Person {
        session: Arc::clone(session),
    });
    // The person has no time limit. There is no rotation, so that the person keeps the seat.
    let mut plan = prepared.league.block_plan();
    (plan.deals, plan.duplicate, plan.block_us) = (setting.deals, false, 0);
    let mut events = PageObserver {
        session,
        unit: game.score_unit(),
        names: &names,
        displayed: names.clone(),
        place: setting.place,
        deals: setting.deals,
        seat: 0,
        by_seat: Vec::new(),
        at_table: Vec::new(),
        state: Value::Null,
        games: 0,
        totals: vec![0; names.len()],
    };
    let played =
        game.table()
            .play_block(job, plan, &LineUpSeeds::new(seed), &mut agents, &mut events);
    let games = events.games;
    ensure!(
        !session.has_left(),
        "you left it, it was idle for too long, or the server was stopped"
    );
    if let Err(unfinished) = played {
        let fault = unfinished.fault();
        bail!(
            "the games cannot continue: {}: {}",
            fault.kind.name(),
            fault.message
        );
    }
    Ok(games)
}

/// The agent of the person. It waits for answers from the page, to which the observer has already
/// sent the view and the legal actions.
struct Person {
    session: Arc<PlaySession>,
}

impl Agent for Person {
    fn act(&mut self, _turn: &Turn<'_>) -> AgentResult<Choice> {
        match self.session.wait() {
            Some(PersonReply::Act { action, amount }) => Ok(Choice {
                action: action as usize,
                amount,
            }),
            _ => Err(AgentError::new(FaultKind::Error, "the player has left")
                .with_scope(FaultScope::Block)),
        }
    }
}

/// An observer that sends to the page the information of the person's seat, and faults of bots.
struct PageObserver<'a> {
    session: &'a PlaySession,
    /// Unit of the payoffs, for display.
    unit: &'static str,
    /// Names of the entrants by line-up position.
    names: &'a [String],
    /// Displayed names by line-up position, as in `at_table`.
    displayed: Vec<String>,
    place: usize,
    deals: u32,
    /// The person's seat.
    seat: u8,
    /// Number of the player in each seat.
    by_seat: Vec<usize>,
    /// Displayed name of the player in each seat.
    at_table: Vec<String>,
    state: Value,
    games: u32,
    /// Sums of the payoffs of all games so far, by line-up position.
    totals: Vec<i64>,
}

impl PageObserver<'_> {
    /// Returns the scene that the person sees, as JSON.
    fn look(&self, position: &dyn Position) -> Value {
        let mut view = Vec::new();
        position.view(self.seat, &mut view);
        state(
            &[(self.seat, position.game().scene(&view))],
            position.to_act(),
        )
    }
}

impl BlockObserver for PageObserver<'_> {
    fn dealt(&mut self, position: &dyn Position, entrants: &[usize]) {
        let player = entrants
            .iter()
            .position(|&place| place == self.place)
            .unwrap_or(0);
        self.seat = position.seat_of(player);
        let seats = 0..u8::try_from(entrants.len()).unwrap_or(0);
        self.by_seat = seats.map(|seat| position.player_at(seat)).collect();
        let names: Vec<&str> = self
            .by_seat
            .iter()
            .map(|&player| self.names[entrants[player]].as_str())
            .collect();
        self.at_table = seat_names(&names);
        for (name, &player) in self.at_table.iter().zip(&self.by_seat) {
            self.displayed[entrants[player]].clone_from(name);
        }
        self.state = self.look(position);
        let table_players = TablePlayers {
            names: &self.at_table,
            reader: Some(self.seat),
        };
        let text: Vec<String> = (0..position.events())
            .map(|event| sentence(&position.game().line(position.event(event)), table_players))
            .collect();
        self.session.tell(&json!({
            "kind": "deal",
            "game": self.games,
            "games": self.deals,
            "names": self.at_table,
            "seat": self.seat,
            "state": self.state,
            "text": text,
        }));
    }

    fn asked(&mut self, at: &dyn Position, _seat: u8, entrant: usize) {
        if entrant != self.place {
            return;
        }
        let (offers, ranges): (Vec<_>, Vec<_>) = at.legal().into_iter().unzip();
        let offers: Vec<Value> = (offers.into_iter().zip(&ranges))
            .map(|(offer, range)| json!({"words": offer.words, "faces": offer.faces, "range": range}))
            .collect();
        self.session.send_question(
            Question::Act(ranges),
            json!({"kind": "ask", "offers": offers}),
        );
    }

    fn answered(&mut self, entrant: usize, _call: Call, answer: CallResult<'_>) {
        if let (Err(AgentError { kind, .. }), true) = (answer, entrant != self.place) {
            // The message could show the bot's cards.
            let text = format!("Fault of {}: {}", self.displayed[entrant], kind.name());
            self.session.tell(&json!({"kind": "fault", "text": text}));
        }
    }

    fn acted(&mut self, position: &dyn Position, taken: &TakenAction<'_>) {
        let after = self.look(position);
        let events = taken.events.clone().map(|event| position.event(event));
        let table_players = TablePlayers {
            names: &self.at_table,
            reader: Some(self.seat),
        };
        let mut text = public_text(
            position.game(),
            taken.seat,
            taken.decider,
            events,
            table_players,
        );
        if taken.seat == self.seat && taken.events.is_empty() {
            text = vec![format!(
                "{PERSON}: {}",
                position.game().offer(taken.action).words
            )];
        }
        let is_yours = taken.entrant == self.place && taken.decider == Decider::Bot;
        let message = json!({
            "kind": "step",
            "by": taken.seat,
            "yours": is_yours,
            "text": text,
            "patch": patch(&self.state, &after),
        });
        self.session.tell(&message);
        self.state = after;
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        self.games += 1;
        for (&place, payoff) in entrants.iter().zip(payoffs) {
            self.totals[place] += payoff;
        }
        let by_seat: Vec<i64> = self.by_seat.iter().map(|&player| payoffs[player]).collect();
        let totals: Vec<_> = self.displayed.iter().zip(&self.totals).collect();
        let text = payoff_sentence(&self.at_table, &by_seat, self.unit);
        let message = json!({"kind": "end", "text": [text], "payoffs": by_seat, "totals": totals, "unit": self.unit});
        self.session.tell(&message);
        if self.games < self.deals && !self.session.has_left() {
            // If the person leaves here, `has_seen_enough` detects it.
            let next = json!({"kind": "next"});
            self.session.send_question(Question::NextGame, next);
            _ = self.session.wait();
        }
    }

    fn has_seen_enough(&self) -> bool {
        self.session.has_left()
    }
}
