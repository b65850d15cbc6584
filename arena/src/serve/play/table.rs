//! The thread that plays: bots of a league, a person's seat, and what the page is told.

use super::session::{Answer, Question, Session};
use crate::agent::{Agent, BlockStart, Misstep, Observation, Reach, Turn};
use crate::cast::Cast;
use crate::games::{self, Visit};
use crate::record::{FaultKind, JobId};
use crate::replay::state::{patch, state};
use crate::replay::steps::{payoffs_in_words, public_text, seat_names, sentence};
use crate::seeds::Seeds;
use crate::table::{Decider, Disturbed, Step, Table, Watch};
use anyhow::Context;
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use serde_json::{Value, json};
use std::sync::Arc;

/// What the person is called at the table.
const PERSON: &str = "Human";

/// What is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Number of the line-up.
    pub line_up: u32,
    /// Place in it that the person takes.
    pub place: usize,
    /// Games.
    pub deals: u32,
    /// Seed of the cards.
    pub seed: u64,
}

/// Plays until the games are over or the person has left. What goes wrong is told to the page.
pub fn play(cast: &Cast, setting: Setting, session: &Arc<Session>) {
    let played = games::visit(&cast.league.game, Work { cast, setting, session })
        .context("the league's game is not in this host")
        .and_then(|played| played);
    if let Err(error) = played {
        session.tell(&json!({"kind": "broken", "text": format!("{error:#}")}));
    }
    session.end();
}

struct Work<'a> {
    cast: &'a Cast,
    setting: Setting,
    session: &'a Arc<Session>,
}

impl Visit for Work<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self) -> Self::Output {
        let Work { cast, setting, session } = self;
        let game: G = cast.game()?;
        let job = JobId { line_up: setting.line_up, block: 0 };
        let entrants = &cast.schedule.line_ups[job.line_up as usize].entrants;
        let name = |(place, &entrant): (usize, &usize)| {
            if place == setting.place { PERSON.to_owned() } else { cast.league.entrants[entrant].name.clone() }
        };
        let names: Vec<String> = entrants.iter().enumerate().map(name).collect();
        let bots = cast.open(job)?;
        let agents = bots.into_iter().zip(&names).enumerate().map(|(place, (bot, name))| -> Box<dyn Agent> {
            if place == setting.place {
                Box::new(Person { session: Arc::clone(session) })
            } else {
                Box::new(Seen { bot, name: name.clone(), session: Arc::clone(session) })
            }
        });
        let mut agents: Vec<Box<dyn Agent>> = agents.collect();
        // A person's time is not limited, and bots are not rotated: the person sits where the line-up says.
        let mut plan = cast.league.block_plan();
        (plan.deals, plan.duplicate, plan.block_us, plan.disturbed) = (setting.deals, false, 0, Disturbed::Fault);
        let mut teller = Teller::<G> {
            session,
            names: &names,
            place: setting.place,
            deals: setting.deals,
            block: None,
            seat: 0,
            at_table: Vec::new(),
            state: Value::Null,
            games: 0,
            totals: vec![0; names.len()],
        };
        let played = Table::new(&game).play_block(job, plan, &Seeds::league(setting.seed), &mut agents, &mut teller);
        let games = teller.games;
        if let Err(unfinished) = played {
            let fault = unfinished.fault();
            anyhow::bail!("the league stops at a fault: {}: {}", fault.kind.name(), fault.message);
        }
        if !session.has_left() {
            session.tell(&json!({"kind": "done", "games": games}));
        }
        Ok(())
    }
}

/// A person's seat: waits for the page. The table's onlooker has shown and offered what there is.
struct Person {
    session: Arc<Session>,
}

impl Person {
    fn gone() -> Misstep {
        Misstep::new(FaultKind::Error, "the person has left").reaching(Reach::Block)
    }
}

impl Agent for Person {
    fn block_start(&mut self, _start: &BlockStart<'_>) -> Result<(), Misstep> {
        Ok(())
    }

    fn deal_start(&mut self, _seen: &Observation<'_>) -> Result<(), Misstep> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>) -> Result<Choice, Misstep> {
        match self.session.wait() {
            Ok(Answer::Act { action, amount }) => Ok(Choice { action: action as usize, amount }),
            _ => Err(Person::gone()),
        }
    }

    fn deal_end(&mut self, _seen: &Observation<'_>, _payoffs: &[i64]) -> Result<(), Misstep> {
        Ok(())
    }
}

/// A bot whose faults the page is told.
struct Seen {
    bot: Box<dyn Agent>,
    name: String,
    session: Arc<Session>,
}

impl Seen {
    fn tell<T>(&self, outcome: Result<T, Misstep>) -> Result<T, Misstep> {
        outcome.inspect_err(|misstep| {
            let text = format!("A fault of {}: {}: {}", self.name, misstep.kind.name(), misstep.message);
            self.session.tell(&json!({"kind": "fault", "text": text}));
        })
    }
}

impl Agent for Seen {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let outcome = self.bot.block_start(start);
        self.tell(outcome)
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        let outcome = self.bot.deal_start(seen);
        self.tell(outcome)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let (outcome, count) = (self.bot.act(turn), turn.legal.count());
        if let Ok(choice) = &outcome
            && count as usize <= choice.action
        {
            let text = format!("A fault of {}: action {} of {count}", self.name, choice.action);
            self.session.tell(&json!({"kind": "fault", "text": text}));
        }
        self.tell(outcome)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        let outcome = self.bot.deal_end(seen, payoffs);
        self.tell(outcome)
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let outcome = self.bot.block_end();
        self.tell(outcome)
    }
}

/// Tells the page what the person's seat may see, and nothing else.
struct Teller<'a, G: Game> {
    session: &'a Session,
    /// By place in the line-up.
    names: &'a [String],
    place: usize,
    deals: u32,
    block: Option<G::Block>,
    /// The person's seat.
    seat: u8,
    /// Names by seat.
    at_table: Vec<String>,
    state: Value,
    games: u32,
    /// By place in the line-up.
    totals: Vec<i64>,
}

impl<G: Game> Teller<'_, G> {
    fn look(&self, game: &G, deal: &G::Deal) -> Value {
        let Some(block) = &self.block else { return Value::Null };
        let mut view = bytemuck::Zeroable::zeroed();
        game.view(block, deal, self.seat, &mut view);
        state(&[(self.seat, game.scene(&view))], game.to_act(deal))
    }
}

impl<G: Game> Watch<G> for Teller<'_, G> {
    fn dealt(&mut self, game: &G, block: &G::Block, deal: &G::Deal, entrants: &[usize]) {
        self.block = Some(block.clone());
        let player = entrants.iter().position(|&place| place == self.place).unwrap_or(0);
        self.seat = game.seat_of(deal, player);
        let seats = 0..u8::try_from(entrants.len()).unwrap_or(0);
        let by_seat: Vec<&str> = seats.map(|seat| self.names[entrants[game.player_at(deal, seat)]].as_str()).collect();
        self.at_table = seat_names(&by_seat);
        self.state = self.look(game, deal);
        let text: Vec<String> =
            game.history(deal).iter().map(|event| sentence(&game.line(event), &self.at_table)).collect();
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

    fn asked(
        &mut self,
        game: &G,
        _block: &G::Block,
        _deal: &G::Deal,
        _seat: u8,
        entrant: usize,
        actions: &[G::Action],
    ) {
        if entrant != self.place {
            return;
        }
        let offers: Vec<Value> = (actions.iter())
            .map(|action| {
                let offer = game.offer(action);
                json!({"words": offer.words, "faces": offer.faces, "range": G::amounts(action)})
            })
            .collect();
        let question = Question::Act(actions.iter().map(G::amounts).collect());
        self.session.put(question, json!({"kind": "ask", "offers": offers}));
    }

    fn acted(&mut self, game: &G, deal: &G::Deal, step: &Step<'_, G>) {
        let after = self.look(game, deal);
        let mut text = public_text(game, step, &self.at_table);
        if step.seat == self.seat && step.events.is_empty() {
            text = vec![format!("{PERSON}: {}", game.offer(&step.choice.action).words)];
        }
        let is_yours = step.entrant == self.place && step.decider == Decider::Bot;
        let message = json!({
            "kind": "step",
            "by": step.seat,
            "yours": is_yours,
            "text": text,
            "patch": patch(&self.state, &after),
        });
        self.session.tell(&message);
        self.state = after;
    }

    fn ended(&mut self, game: &G, deal: &G::Deal, payoffs: &[i64], entrants: &[usize]) {
        self.games += 1;
        for (&place, payoff) in entrants.iter().zip(payoffs) {
            self.totals[place] += payoff;
        }
        let seats = 0..u8::try_from(entrants.len()).unwrap_or(0);
        let by_seat: Vec<i64> = seats.map(|seat| payoffs[game.player_at(deal, seat)]).collect();
        let totals: Vec<_> = self.names.iter().zip(&self.totals).collect();
        let text = payoffs_in_words(&self.at_table, &by_seat, G::score_unit());
        let message = json!({"kind": "end", "text": [text], "totals": totals, "unit": G::score_unit()});
        self.session.tell(&message);
        if self.games < self.deals && !self.session.has_left() {
            // Who leaves here is noticed at the next look.
            _ = self.session.ask(Question::GoOn, json!({"kind": "next"}));
        }
    }

    fn has_seen_enough(&self) -> bool {
        self.session.has_left()
    }
}
