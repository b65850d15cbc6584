//! Bots that log their calls, and bots that panic in a selected method.

use hattari_plugin::Level;
use hattari_plugin::daihinmin::{self, Block, DealEnd, DealStart, Turn};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of dropped values of [`Witness`] in this process.
pub(crate) static DROPPED: AtomicU32 = AtomicU32::new(0);

/// Config of [`Witness`].
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Config {
    /// Answer of the bot.
    pub answer: usize,
    /// Word that the bot logs.
    pub word: String,
}

/// Logs all data that it receives.
pub(crate) struct Witness {
    config: Config,
    turns: u32,
}

impl daihinmin::Bot for Witness {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.word == "forbidden" {
            Err("`word`: not this one".into())
        } else {
            Ok(())
        }
    }

    fn new(config: Config, block: &Block) -> Result<Self, String> {
        let options = block.options()?;
        if options.five_skip {
            return Err("does not play with five_skip".into());
        }
        let first = block.rng().bits();
        block.host().log(
            Level::Info,
            &format!(
                "{} block player {} of {}, {} deals, seed {}, reset {}, {}",
                config.word,
                block.player,
                block.players,
                block.deals,
                block.seed,
                options.rank_reset,
                first == hattari_plugin::Rng::new(block.seed).bits(),
            ),
        );
        Ok(Witness { config, turns: 0 })
    }

    fn deal_start(&mut self, start: &DealStart) {
        let (deal, hand, events) = (start.view().deal, start.view().hand, start.history().len());
        start.host().log(
            Level::Debug,
            &format!("start deal {deal} hand {hand:x} after {events}"),
        );
    }

    fn act(&mut self, turn: &Turn) -> usize {
        self.turns += 1;
        let mut random = [0; 3];
        let filled = turn.host().fill_random(&mut random);
        let seats: Vec<u8> = turn.history().iter().map(|event| event.seat).collect();
        let columns: Vec<u8> = turn.legal().iter().map(|action| action.column).collect();
        let (budget, left) = (turn.budget(), turn.host().time_left());
        let text = format!(
            "act {seats:?} {columns:?} {budget:?} {left:?} {filled} {random:?} turn {}",
            self.turns
        );
        turn.host().log(Level::Warning, &text);
        turn.host().log_number("turns", self.turns.into());
        assert!(!turn.host().log_number("turns", f64::NAN));
        self.config.answer
    }

    fn deal_end(&mut self, end: &DealEnd) {
        let text = format!(
            "end {} {:?} {:?}",
            end.view().deal,
            end.history().len(),
            end.payoffs()
        );
        end.host().log(Level::Error, &text);
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Config of [`Fragile`].
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Method in which the bot panics.
    pub at: String,
}

/// Panics in a selected method.
pub(crate) struct Fragile(Place);

impl Place {
    fn reached(&self, place: &str) {
        assert!(self.at != place, "broke in {place}");
    }
}

impl daihinmin::Bot for Fragile {
    type Config = Place;

    fn check(config: &Place) -> Result<(), String> {
        config.reached("check");
        Ok(())
    }

    fn new(config: Place, _: &Block) -> Result<Self, String> {
        config.reached("new");
        Ok(Fragile(config))
    }

    fn deal_start(&mut self, _: &DealStart) {
        self.0.reached("deal_start");
    }

    fn act(&mut self, turn: &Turn) -> usize {
        self.0.reached("act");
        if self.0.at == "index" {
            turn.legal()[turn.legal().len()].column.into()
        } else {
            usize::MAX
        }
    }

    fn deal_end(&mut self, _: &DealEnd) {
        self.0.reached("deal_end");
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.0.reached("drop");
        // Panics again while the first panic is handled.
        assert!(self.0.at != "act", "broke in drop after act");
    }
}

/// Has no methods except those that every bot needs.
pub(crate) struct Quiet;

impl daihinmin::Bot for Quiet {
    type Config = hattari_plugin::NoConfig;

    fn new(_: hattari_plugin::NoConfig, _: &Block) -> Result<Self, String> {
        Ok(Quiet)
    }

    fn act(&mut self, _: &Turn) -> usize {
        0
    }
}

hattari_plugin::export_bots![
    daihinmin::bot::<Witness>("witness", "1.2.3", "Logs everything")
        .author("A. Nonymous")
        .license("MIT")
        .learns(),
    daihinmin::bot::<Witness>("witness-one", "1.2.3", "Answers 1")
        .preset(|| Config {
            answer: 1,
            word: "preset".into()
        })
        .schema("{}")
        .nondeterministic()
        .threads(),
    daihinmin::bot::<Fragile>("fragile", "0.1.0", "Breaks"),
    daihinmin::bot::<Quiet>("quiet", "1.0.0", "Answers 0"),
];
