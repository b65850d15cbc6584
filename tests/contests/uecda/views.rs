//! Tests that a bot behind two sockets receives exactly the same bytes as in a local game.

use crate::place::{Place, deals, play};
use hattari_agents::agent::socket::Stream;
use hattari_agents::agent::{Agent, AgentError, Notice, Observation, Turn};
use hattari_contests::uecda::table::Version;
use hattari_contests::uecda::{PROTOCOL, UecdaMatchOptions, UecdaResult, play_match};
use hattari_plugin::Choice;
use hattari_plugin::games::daihinmin::{Daihinmin, Options, View};
use std::hash::{DefaultHasher, Hasher};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

/// A bot that chooses by a hash of all data that it has received, so that any difference changes
/// the game. It ignores events at the end of tricks, which a client cannot know.
#[derive(Default)]
struct Probe {
    shown: DefaultHasher,
}

impl Probe {
    fn look(&mut self, seen: &Observation<'_>) {
        let (view, history) = seen.read::<Daihinmin>();
        self.shown.write(bytemuck::bytes_of(&View {
            ask_last: 0,
            ..*view
        }));
        self.shown.write(bytemuck::cast_slice(history));
    }
}

impl Agent for Probe {
    fn notify(&mut self, notice: &Notice<'_>) -> Result<(), AgentError> {
        match notice {
            Notice::BlockStart(start) => {
                self.shown = DefaultHasher::new();
                self.shown
                    .write(format!("{} {} {}", start.game, start.player, start.deals).as_bytes());
            }
            Notice::DealStart(seen) => self.look(seen),
            Notice::DealEnd(seen, payoffs) => {
                self.look(seen);
                self.shown.write(bytemuck::cast_slice(payoffs));
            }
            Notice::BlockEnd => {}
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        self.look(&turn.seen);
        self.shown.write(turn.legal.as_bytes());
        let action = self.shown.finish() % u64::from(turn.legal.count());
        Ok(usize::try_from(action).unwrap().into())
    }
}

fn probes() -> Vec<Box<dyn Agent>> {
    (0..5)
        .map(|_| Box::<Probe>::default() as Box<dyn Agent>)
        .collect()
}

#[test]
fn socket_messages_match_the_views_of_the_game() {
    let manual = Options {
        rank_reset: 7,
        ..Options::default()
    };
    let early = Options {
        ask_last_player_again: false,
        deadlock_passes: 8,
        ..manual.clone()
    };
    let other = Options {
        exchange: false,
        eleven_back: true,
        six_reverse: true,
        ..manual.clone()
    };
    // Places drawn by the deadlock rule are only visible as titles of the next deal. If titles are
    // drawn again, a client cannot know them. Block 1 with the second rules has such a deal.
    for (number, options) in [0, 4, 2].into_iter().zip([manual, early, other]) {
        let here = play::<Daihinmin>(options.clone(), deals(24), number, &mut probes());
        assert!(here.faults.is_empty() && here.deals == 24);
        let places: Vec<Place> = (0..5).map(|_| Place::patient(&PROTOCOL)).collect();
        let mut agents: Vec<_> = places.iter().map(Place::agent).collect();
        let there = thread::scope(|scope| {
            for (seat, place) in places.iter().enumerate() {
                // Half of the clients assume that the last player gets another turn, to test the
                // effect.
                let ask_last_player_again = options.ask_last_player_again || seat % 2 == 0;
                let options = Options {
                    ask_last_player_again,
                    ..options.clone()
                };
                scope.spawn(move || {
                    let version = if seat % 2 == 0 {
                        Version::Numbers
                    } else {
                        Version::Digits
                    };
                    let (name, patience) = (format!("probe {seat}"), Duration::from_secs(60));
                    let match_options = UecdaMatchOptions {
                        version,
                        name,
                        options,
                        deals: 24,
                        seed: 0,
                        timeout: patience,
                    };
                    let mut stream =
                        Stream::new(TcpStream::connect(place.address).unwrap()).unwrap();
                    let mut joined = UecdaResult::default();
                    let mut bot = Probe::default();
                    play_match(&mut stream, &mut bot, &match_options, &mut joined).unwrap();
                    assert_eq!(
                        (joined.games, joined.faults.count, joined.refused),
                        (24, 0, 0)
                    );
                    assert_eq!(usize::from(joined.player), seat);
                });
            }
            play::<Daihinmin>(options.clone(), deals(24), number, &mut agents)
        });
        assert_eq!(there, here, "{options:?}");
    }
}
