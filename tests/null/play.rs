//! Plays leagues like `hattari run`, on all cores, and computes their standings like
//! `hattari report`.

use crate::kinds::Kind;
use crate::support;
use hattari_agents::agent::{self, built_in};
use hattari_play::catalogue::{Catalogue, SearchPath};
use hattari_play::league::League;
use hattari_play::prepared::{ClientPolicy, PreparedLeague};
use hattari_play::runner::{RunContext, RunEnd, RunOptions};
use hattari_play::schedule::Part;
use hattari_play::store::{BotContent, LeagueIdentity, LeagueSource, Store, StoreWriter};
use hattari_report::standings::{ReportOptions, Standings, of_store};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The bots that take part.
pub(crate) struct Player {
    catalogue: Catalogue,
}

impl Player {
    /// Finds the project's bots.
    pub(crate) fn new() -> Player {
        agent::use_program(Path::new(support::PROGRAM));
        hattari_bots::ALL
            .iter()
            .for_each(|bots| built_in::add(bots));
        Player {
            catalogue: Catalogue::discover(&SearchPath::default()),
        }
    }

    /// Plays leagues of a kind. Returns the results of `look` for each, by league number.
    pub(crate) fn each<T: Send>(
        &self,
        kind: &Kind,
        leagues: usize,
        look: impl Fn(&Standings) -> T + Sync,
    ) -> Vec<T> {
        support::at_once(leagues, |number| {
            let folder = tempfile::tempdir().expect("a folder for the store");
            look(&self.play(&kind.yaml(number as u64), folder.path()))
        })
    }

    /// Plays one league and returns its standings.
    fn play(&self, text: &str, folder: &Path) -> Standings {
        let (file, store) = (folder.join("league.yaml"), folder.join("league.sqlite"));
        std::fs::write(&file, text).expect("a file");
        let league = League::load(&file).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let identity = LeagueIdentity::new(
            league.clone(),
            vec![
                BotContent {
                    kind: "compiled".into(),
                    ..BotContent::default()
                };
                league.entrants.len()
            ],
        );
        let (mut writer, _) = StoreWriter::open(
            &store,
            &identity,
            &LeagueSource {
                file,
                text: text.to_owned(),
            },
        )
        .expect("a store");
        let prepared =
            PreparedLeague::find(league, Path::new(""), &self.catalogue, ClientPolicy::Absent)
                .expect("the project's bots");
        assert_eq!(play_out(&prepared, &mut writer), RunEnd::Finished);
        drop(writer);
        let (standings, _) = of_store(
            &Store::read(&store).expect("a store"),
            None,
            &ReportOptions::default(),
        )
        .expect("standings");
        standings
    }
}

/// Plays the blocks of a league on one thread; several leagues are played at the same time.
fn play_out(prepared: &PreparedLeague, writer: &mut StoreWriter) -> RunEnd {
    let game = prepared.game().unwrap();
    let options = RunOptions {
        threads: 1,
        part: Part::WHOLE,
    };
    writer.begin_run(1, &Part::WHOLE).expect("a store");
    let stop = AtomicBool::new(false);
    let context = RunContext {
        game: &*game,
        league: &prepared.league,
        seats: &prepared.seats,
        options: &options,
        stop: &stop,
    };
    let end = context.run(writer, &mut ());
    writer.end_run("finished").expect("a store");
    end.unwrap()
}
