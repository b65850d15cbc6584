//! What a bot is shown behind two sockets is, byte for byte, what it is shown at the table.

#![expect(unsafe_code, reason = "reads the records that a call points to")]

use super::table::{Place, deals, play};
use hattari::agent::socket::Stream;
use hattari::agent::uecda::table::Version;
use hattari::agent::{Agent, BlockStart, Misstep};
use hattari::join::uecda::{Terms, play_match};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::{Action, Event, Options, View};
use std::hash::{DefaultHasher, Hasher};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

/// Chooses by a hash of everything that it has ever been shown: whatever differs by a bit makes other games. How tricks end it is not
/// told: a client cannot know.
#[derive(Default)]
struct Probe {
    shown: DefaultHasher,
}

impl Probe {
    /// Looks at the records that a call points to.
    fn look(&mut self, view: *const std::ffi::c_void, history: *const std::ffi::c_void, events: u32) {
        // SAFETY: the pointers are a call's own, and hold for it.
        let (view, history) =
            unsafe { (&*view.cast::<View>(), std::slice::from_raw_parts(history.cast::<Event>(), events as usize)) };
        self.shown.write(bytemuck::bytes_of(&View { ask_last: 0, ..*view }));
        self.shown.write(bytemuck::cast_slice(history));
    }
}

impl Agent for Probe {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        self.shown = DefaultHasher::new();
        self.shown.write(format!("{} {} {}", start.game, start.player, start.deals).as_bytes());
        Ok(())
    }

    fn deal_start(&mut self, start: &abi::DealInfo) -> Result<(), Misstep> {
        self.look(start.view, start.history, start.history_count);
        Ok(())
    }

    fn act(&mut self, decision: &abi::Decision) -> Result<abi::Choice, Misstep> {
        self.look(decision.view, decision.history, decision.history_count);
        let count = decision.action_count as usize;
        // SAFETY: the call has so many of them.
        let actions = unsafe { std::slice::from_raw_parts(decision.actions.cast::<Action>(), count) };
        self.shown.write(bytemuck::cast_slice(actions));
        let action = u32::try_from(self.shown.finish() % u64::from(decision.action_count)).unwrap();
        Ok(abi::Choice { struct_size: abi::struct_size::<abi::Choice>(), action, amount: 0 })
    }

    fn deal_end(&mut self, result: &abi::DealResult) -> Result<(), Misstep> {
        self.look(result.view, result.history, result.history_count);
        // SAFETY: the call has so many of them.
        let payoffs = unsafe { std::slice::from_raw_parts(result.payoffs, result.payoff_count as usize) };
        self.shown.write(bytemuck::cast_slice(payoffs));
        Ok(())
    }
}

fn probes() -> Vec<Box<dyn Agent>> {
    (0..5).map(|_| Box::<Probe>::default() as Box<dyn Agent>).collect()
}

#[test]
fn sockets_show_what_the_table_shows() {
    let manual = Options { rank_reset: 7, ..Options::default() };
    let early = Options { ask_last_player_again: false, deadlock_passes: 8, ..manual.clone() };
    let other = Options { exchange: false, eleven_back: true, six_reverse: true, ..manual.clone() };
    for (number, options) in (0..).zip([manual, early, other]) {
        let here = play(options.clone(), deals(24), number, &mut probes());
        assert!(here.faults.is_empty() && here.deals == 24);
        let places: Vec<Place> = (0..5).map(|_| Place::patient()).collect();
        let mut agents: Vec<_> = places.iter().map(Place::agent).collect();
        let there = thread::scope(|scope| {
            for (seat, place) in places.iter().enumerate() {
                // Half of the clients take it that the last player is asked again, and see what happens.
                let ask_last_player_again = options.ask_last_player_again || seat % 2 == 0;
                let options = Options { ask_last_player_again, ..options.clone() };
                scope.spawn(move || {
                    let version = if seat % 2 == 0 { Version::Numbers } else { Version::Digits };
                    let (name, patience) = (format!("probe {seat}"), Duration::from_secs(60));
                    let terms = Terms { version, name, options, deals: 24, seed: 0, patience };
                    let mut stream = Stream::new(TcpStream::connect(place.address).unwrap()).unwrap();
                    let (joined, played) = play_match(&mut stream, &mut Probe::default(), &terms);
                    played.unwrap();
                    assert_eq!((joined.games, joined.faults, joined.refused), (24, 0, 0));
                    assert_eq!(usize::from(joined.player), seat);
                });
            }
            play(options.clone(), deals(24), number, &mut agents)
        });
        assert_eq!(there, here, "{options:?}");
    }
}
