//! Leagues of mock bots for tests of this package and of those above it.

pub use hattari_agents::mock::*;

use crate::league::{Entrant, League};
use crate::runner::{Chair, End, Observer, Orders, RunError, run};
use crate::schedule::Part;
use crate::store::{Content, Identity, Opening, Source, Store, StoreError, Writer};
use hattari_agents::record::Record;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A league of mock bots, by their styles' names, in a folder of its own; `more` are further lines
/// of its file.
pub struct Folder {
    folder: tempfile::TempDir,
    /// Who takes part, as a YAML list.
    pub entrants: &'static str,
}

impl Folder {
    /// A folder for leagues of these entrants.
    pub fn new(entrants: &'static str) -> Folder {
        hattari_agents::table::add::<HighCard>();
        Folder {
            folder: tempfile::tempdir().unwrap(),
            entrants,
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The league with further lines.
    pub fn league(&self, more: &str) -> League {
        let text = format!(
            "game: highcard\nseed: 5\nentrants: {}\n{more}\n",
            self.entrants
        );
        fs::write(self.path("league.yaml"), text).unwrap();
        League::load(&self.path("league.yaml")).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Opens a store for a league.
    pub fn writer(&self, store: &str, league: &League) -> Result<(Writer, Opening), StoreError> {
        let content = |entrant: &Entrant| Content {
            kind: "mock".into(),
            bot: entrant.bot.clone(),
            path: format!("{}.mock", entrant.bot),
            version: "1".into(),
            hash: entrant.bot.clone(),
            file: String::new(),
        };
        let contents = league.entrants.iter().map(content).collect();
        let source = Source {
            file: self.path("league.yaml"),
            text: "text".into(),
        };
        Writer::open(
            &self.path(store),
            &Identity::new(league.clone(), contents),
            &source,
        )
    }

    /// Mock bots for a league's entrants.
    pub fn seats(league: &League) -> Vec<Chair> {
        let seat = |entrant: &Entrant| Chair {
            bot: Arc::new(Mock(Style::named(&entrant.bot))),
            config_json: "{}".into(),
            is_repeatable: !entrant.bot.ends_with("-once"),
        };
        league.entrants.iter().map(seat).collect()
    }

    /// Plays what is open in a store, with that many threads and of that part (a shard or a unit),
    /// until `stop` says so.
    pub fn play(
        &self,
        store: &str,
        league: &League,
        orders: (usize, &str),
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<End, RunError> {
        let seats = Folder::seats(league);
        let game = hattari_agents::table::game(&league.game, &league.options).unwrap();
        let (mut writer, _) = self.writer(store, league)?;
        let part = Part::shard(orders.1)
            .or_else(|_| Part::unit(orders.1))
            .unwrap();
        let orders = Orders {
            threads: orders.0,
            part,
        };
        writer.begin_run(u32::try_from(orders.threads).unwrap(), &orders.part)?;
        let end = run(&*game, league, &seats, &mut writer, &orders, stop, observer);
        writer.end_run(if end.is_ok() { "finished" } else { "failed" })?;
        end
    }

    /// Plays everything, and gives the records.
    pub fn play_all(&self, store: &str, league: &League, threads: usize) -> Vec<Record> {
        let end = self.play(
            store,
            league,
            (threads, "1/1"),
            &AtomicBool::new(false),
            &mut (),
        );
        assert_eq!(end.unwrap(), End::Finished);
        self.read(store).records().unwrap()
    }

    /// Opens a store for reading.
    pub fn read(&self, store: &str) -> Store {
        Store::read(&self.path(store)).unwrap()
    }
}
