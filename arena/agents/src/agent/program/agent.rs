//! The agent of a program.

use super::answer::Skip;
use super::talk::Talk;
use super::terms::{LEAVING, Terms};
use super::writer::Writer;
#[cfg(target_os = "linux")]
use crate::agent::process::pin::{self, Pin};
use crate::agent::status::{in_time, late_ns};
use crate::agent::transport::Message;
use crate::agent::{Agent, BlockStart, Limits, Misstep, Observation, Reach, Turn};
use crate::games::Facts;
use crate::record::FaultKind;
use hattari_plugin::Choice;
#[cfg(target_os = "linux")]
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A program at one seat. Every block has its own process.
pub(super) struct ProgramAgent {
    terms: Arc<Terms>,
    config_json: String,
    /// `None` before the first block, between blocks, and after the process has ended.
    playing: Option<Playing>,
    /// Host thread and program take turns, so they share a core; processes that the thread starts
    /// inherit the binding.
    #[cfg(target_os = "linux")]
    pin: Option<Rc<Pin>>,
}

/// A process that plays a block.
struct Playing {
    talk: Talk,
    writer: Writer,
}

impl Playing {
    fn tell(&mut self, message: &Message<'_>, patience: Duration) -> Result<(), Misstep> {
        let Playing { talk, writer } = self;
        let bytes = writer.write(message, talk.id, &talk.greeting);
        talk.tell(bytes, message.call(), patience)
    }

    fn skips(&self, what: Skip) -> bool {
        self.talk.greeting.skip.contains(&what)
    }
}

impl ProgramAgent {
    pub(super) fn new(terms: Arc<Terms>, config_json: &str) -> ProgramAgent {
        ProgramAgent {
            terms,
            config_json: config_json.to_owned(),
            playing: None,
            #[cfg(target_os = "linux")]
            pin: None,
        }
    }

    fn begin(&self, game: &'static Facts, start: &BlockStart<'_>) -> Result<Playing, Misstep> {
        let encoder = self.terms.encoder(game);
        let mut writer = Writer::new(encoder, &self.config_json, start.players);
        let mut talk = Talk::begin(&self.terms)?;
        let line = writer.write(&Message::BlockStart(*start), 0, &talk.greeting);
        talk.start_block(&self.terms, line)?;
        Ok(Playing { talk, writer })
    }

    /// Sends a message unless the program has asked to skip it.
    fn tell(&mut self, message: &Message<'_>, skip: Skip) -> Result<(), Misstep> {
        let hang = self.terms.hang;
        let playing = self.playing.as_mut().ok_or_else(gone)?;
        if playing.skips(skip) {
            return Ok(());
        }
        let told = playing.tell(message, hang);
        told.map_err(|misstep| self.fall(misstep))
    }

    /// Ends the process after an error of the program, unless it concerns only the decision.
    #[cold]
    fn fall(&mut self, misstep: Misstep) -> Misstep {
        if misstep.reach != Reach::Decision {
            self.playing = None;
        }
        misstep
    }

    /// Checks that the program's files have not changed since they were inspected.
    ///
    /// # Errors
    /// Returns an error that stops the run if they have.
    fn see_unchanged(&self) -> Result<(), Misstep> {
        if self.terms.is_unchanged() {
            return Ok(());
        }
        let what = format!(
            "`{}`: its files have changed since they were inspected; start the command again",
            self.terms.command
        );
        Err(Misstep::start(what).reaching(Reach::Run))
    }
}

impl Agent for ProgramAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        self.playing = None;
        let fail = |what: String| Misstep::start(what);
        let game = Facts::find(start.game)
            .ok_or_else(|| fail(format!("programs cannot play {}", start.game)))?;
        self.see_unchanged()?;
        #[cfg(target_os = "linux")]
        self.pin.get_or_insert_with(pin::this_thread);
        // A program that refuses a block would also refuse after a restart.
        let begun = self.begin(game, start).map_err(|misstep| Misstep {
            reach: if misstep.kind == FaultKind::Refused {
                Reach::Block
            } else {
                Reach::Deal
            },
            ..misstep
        });
        self.playing = Some(begun?);
        Ok(())
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        let playing = self.playing.as_mut().ok_or_else(gone)?;
        playing.talk.shorten_words();
        playing.writer.start_deal();
        self.tell(&Message::DealStart(*seen), Skip::DealStart)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let patience = Limits::patience_of(turn.budget_us, self.terms.hang);
        let Playing { talk, writer } = self.playing.as_mut().ok_or_else(gone)?;
        let message = writer.write(&Message::Act(*turn), talk.id + 1, &talk.greeting);
        let start = Instant::now();
        let answer = talk.ask(&self.terms, message, turn.legal.count(), patience);
        let took = start.elapsed();
        let choice = answer.map_err(|misstep| self.fall(misstep))?;
        in_time(late_ns(took, turn.budget_us), turn.budget_us)?;
        Ok(choice)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        self.tell(&Message::DealEnd(*seen, payoffs), Skip::DealEnd)
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let mut playing = self.playing.take().ok_or_else(gone)?;
        // If the program has already exited, `end` reports the status.
        _ = playing.tell(&Message::BlockEnd, LEAVING);
        playing.talk.end()
    }
}

fn gone() -> Misstep {
    Misstep::start("the program has no running process")
}
