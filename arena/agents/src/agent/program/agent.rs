//! A program at a seat.

use super::answer::{Format, Skip};
use super::json::Encoder;
use super::json::{list, put_number};
use super::talk::Talk;
use super::terms::{LEAVING, PROTOCOL, Terms};
#[cfg(target_os = "linux")]
use crate::agent::process::pin::{self, Pin};
use crate::agent::status::in_time;
use crate::agent::transport::frame::{self, Choose, Outbox, Payoffs};
use crate::agent::{Agent, BlockStart, Limits, Misstep, Observation, Reach, Turn};
use crate::games::Facts;
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bits of a seed that a program is told: as many as every language's numbers hold.
const SEED_BITS: u32 = 53;

/// One seat's program. Every block has a process of its own.
pub(super) struct ProgramAgent {
    terms: Arc<Terms>,
    config_json: String,
    talk: Option<Talk>,
    encoder: Option<Arc<Encoder>>,
    players: u32,
    /// Events of the deal that the program has got.
    sent: u32,
    line: Vec<u8>,
    frames: Outbox,
    /// Host thread and program take turns, so they share a core; what the thread starts inherits
    /// it.
    #[cfg(target_os = "linux")]
    pin: Option<Rc<Pin>>,
}

impl ProgramAgent {
    pub(super) fn new(terms: Arc<Terms>, config_json: &str) -> ProgramAgent {
        ProgramAgent {
            terms,
            config_json: config_json.to_owned(),
            talk: None,
            encoder: None,
            players: 0,
            sent: 0,
            line: Vec::new(),
            frames: Outbox::default(),
            #[cfg(target_os = "linux")]
            pin: None,
        }
    }

    /// What a block starts with, as a line.
    fn block_start_line(&self, start: &BlockStart<'_>) -> String {
        let BlockStart {
            game,
            options_json,
            players,
            player,
            deals,
            seed,
        } = *start;
        let (player, seed, config) = (
            player + 1,
            seed >> (u64::BITS - SEED_BITS),
            &self.config_json,
        );
        format!(
            "{{\"type\":\"block_start\",\"protocol\":{PROTOCOL},\"game\":{},\"options\":{options_json},\"players\":{players},\
             \"player\":{player},\"deals\":{deals},\"seed\":{seed},\"config\":{config}}}\n",
            serde_json::Value::from(game)
        )
    }

    /// Adds view and events to the line, which is in the middle of an object.
    fn put_seen(&mut self, encoder: &Encoder, seen: &Observation<'_>, skips_events: bool) {
        let (line, players) = (&mut self.line, self.players);
        line.extend_from_slice(b"\"view\":");
        encoder.view.put(seen.view, players, line);
        if !skips_events {
            line.extend_from_slice(b",\"events\":");
            // A record only grows within a deal.
            let stride = seen.history.stride() as usize;
            let before = (self.sent.min(seen.history.count()) as usize) * stride;
            encoder
                .event
                .put_all(&seen.history.as_bytes()[before..], players, line);
        }
        self.sent = seen.history.count();
    }

    /// Tells what is known, and more, without asking.
    fn tell(
        &mut self,
        call: &'static str,
        kind: u32,
        seen: &Observation<'_>,
        payoffs: Option<&[i64]>,
    ) -> Result<(), Misstep> {
        let (Some(talk), Some(encoder)) = (self.talk.as_ref(), self.encoder.clone()) else {
            return Err(gone());
        };
        let (format, skips_events) = (talk.format(), talk.skips(Skip::Events));
        match format {
            Format::Json => {
                self.begin(call);
                self.put_seen(&encoder, seen, skips_events);
                if let Some(payoffs) = payoffs {
                    self.line.extend_from_slice(b",\"payoffs\":");
                    list(payoffs, &mut self.line, |&payoff, out| {
                        put_number(payoff.into(), out)
                    });
                }
                self.line.extend_from_slice(b"}\n");
            }
            Format::Binary => {
                self.frames.begin(kind, 0);
                let count = payoffs.map(|payoffs| {
                    u32::try_from(payoffs.len()).expect("tables have a handful of players")
                });
                let seen = without_events(seen, skips_events);
                self.frames.put_seen(&mut self.sent, &seen, |out| {
                    if let Some(payoffs) = count {
                        out.put(&Payoffs {
                            payoffs,
                            reserved: 0,
                        });
                    }
                });
                self.frames
                    .add(bytemuck::cast_slice(payoffs.unwrap_or_default()));
            }
        }
        let (hang, talk) = (self.terms.hang, self.talk.as_mut().ok_or_else(gone)?);
        let message = if format == Format::Json {
            &self.line
        } else {
            self.frames.frame()
        };
        let outcome = talk.tell(message, call, hang);
        outcome.map_err(|misstep| self.fall(misstep))
    }

    /// Begins a line of that type.
    fn begin(&mut self, call: &str) {
        self.line.clear();
        self.line.extend_from_slice(b"{\"type\":\"");
        self.line.extend_from_slice(call.as_bytes());
        self.line.extend_from_slice(b"\",");
    }

    /// Ends a process that is of no more use.
    #[cold]
    fn fall(&mut self, misstep: Misstep) -> Misstep {
        if misstep.reach != Reach::Decision {
            self.talk = None;
        }
        misstep
    }

    /// Sees that the program is still the one that was looked at.
    fn see_unchanged(&self) -> Result<(), Misstep> {
        if self.terms.is_unchanged() {
            return Ok(());
        }
        let what = format!(
            "`{}`: its files have changed since it was looked at; start anew",
            self.terms.command
        );
        Err(Misstep::new(FaultKind::Start, what).reaching(Reach::Run))
    }
}

impl Agent for ProgramAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        self.talk = None;
        let fail = |what: String| Misstep::new(FaultKind::Start, what);
        let game = Facts::find(start.game)
            .ok_or_else(|| fail(format!("programs do not play {}", start.game)))?;
        self.see_unchanged()?;
        self.encoder = Some(self.terms.encoder(game));
        (self.players, self.sent) = (start.players, 0);
        #[cfg(target_os = "linux")]
        self.pin.get_or_insert_with(pin::this_thread);
        let line = self.block_start_line(start);
        let begun = Talk::begin(&self.terms).and_then(|mut talk| {
            talk.start_block(&self.terms, line.as_bytes())
                .map(|()| talk)
        });
        // What a program refuses once it refuses in every deal.
        let least = |misstep: &Misstep| {
            if misstep.kind == FaultKind::Refused {
                Reach::Block
            } else {
                Reach::Deal
            }
        };
        self.talk = Some(begun.map_err(|misstep| Misstep {
            reach: least(&misstep),
            ..misstep
        })?);
        Ok(())
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.sent = 0;
        let talk = self.talk.as_mut().ok_or_else(gone)?;
        talk.shorten_words();
        if talk.skips(Skip::DealStart) {
            return Ok(());
        }
        self.tell("deal_start", frame::DEAL_START, seen, None)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let Turn {
            seen,
            legal,
            budget_us,
        } = *turn;
        let (Some(talk), Some(encoder)) = (self.talk.as_mut(), self.encoder.clone()) else {
            return Err(gone());
        };
        talk.id += 1;
        let (id, format, skips_events) = (talk.id, talk.format(), talk.skips(Skip::Events));
        match format {
            Format::Json => {
                self.begin("act");
                self.line.extend_from_slice(b"\"id\":");
                put_number(id.into(), &mut self.line);
                if budget_us > 0 {
                    self.line.extend_from_slice(b",\"budget_us\":");
                    put_number(budget_us.into(), &mut self.line);
                }
                self.line.push(b',');
                self.put_seen(&encoder, &seen, skips_events);
                self.line.extend_from_slice(b",\"legal\":");
                encoder
                    .action
                    .put_all(legal.as_bytes(), self.players, &mut self.line);
                self.line.extend_from_slice(b"}\n");
            }
            Format::Binary => {
                self.frames.begin(frame::ACT, id);
                let choose = Choose {
                    actions: legal.count(),
                    action: legal.stride(),
                    budget_us,
                };
                let seen = without_events(&seen, skips_events);
                self.frames
                    .put_seen(&mut self.sent, &seen, |out| out.put(&choose));
                self.frames.add(legal.as_bytes());
            }
        }
        let budget = Duration::from_micros(u64::try_from(budget_us).unwrap_or(0));
        let patience = if budget.is_zero() {
            self.terms.hang
        } else {
            Limits::patience(budget)
        };
        let (terms, talk) = (&self.terms, self.talk.as_mut().ok_or_else(gone)?);
        let message = if format == Format::Json {
            &self.line
        } else {
            self.frames.frame()
        };
        let start = Instant::now();
        let answer = talk.ask(terms, message, legal.count(), patience);
        let took = start.elapsed();
        let choice = answer.map_err(|misstep| self.fall(misstep))?;
        if !budget.is_zero() {
            let late = took.as_nanos().cast_signed() - budget.as_nanos().cast_signed();
            in_time(i64::try_from(late).unwrap_or(i64::MAX), budget_us)?;
        }
        Ok(choice)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        if self
            .talk
            .as_ref()
            .is_some_and(|talk| talk.skips(Skip::DealEnd))
        {
            return Ok(());
        }
        self.tell("deal_end", frame::DEAL_END, seen, Some(payoffs))
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let talk = self.talk.take().ok_or_else(gone)?;
        if talk.format() == Format::Json {
            return talk.end(b"{\"type\":\"block_end\"}\n", LEAVING);
        }
        self.frames.begin(frame::BLOCK_END, 0);
        talk.end(self.frames.frame(), LEAVING)
    }
}

/// What is seen, without the events where nobody wants them.
fn without_events<'a>(seen: &Observation<'a>, is_without: bool) -> Observation<'a> {
    if is_without {
        Observation {
            history: crate::agent::Records::default(),
            ..*seen
        }
    } else {
        *seen
    }
}

fn gone() -> Misstep {
    Misstep::new(FaultKind::Start, "the program has no living process")
}
