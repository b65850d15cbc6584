//! Blocks with a client over a real socket, through the library, and clients that come again.

use crate::support::{Folder, Port, killed_again_and_again, no_faults};
use hattari_agents::agent::socket::{ClientBot, ClientSpec, Protocol, SocketListener};
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_agents::record::{FaultKind, JobId, Record};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Table};
use hattari_play::league::Budget;
use hattari_plugin::games::Game;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The place of a client at a table.
pub(crate) struct Place {
    pub address: SocketAddr,
    bot: ClientBot,
}

impl Place {
    /// Creates a place with time limits for connecting and for each answer.
    pub(crate) fn new(protocol: &'static Protocol, start: Duration, hang: Duration) -> Place {
        let free = "127.0.0.1:0".parse().unwrap();
        let listener = Arc::new(SocketListener::open(free, &protocol.handshake).unwrap());
        let address = listener.address();
        let mut spec = ClientSpec::new(&protocol.handshake, "client", &Budget::default());
        (spec.listener, spec.start, spec.hang) = (Some(listener), start, hang);
        Place {
            address,
            bot: ClientBot::new(protocol, spec),
        }
    }

    /// Creates a place with time limits that no test reaches.
    pub(crate) fn patient(protocol: &'static Protocol) -> Place {
        Place::new(protocol, Duration::from_secs(60), Duration::from_secs(60))
    }

    /// Returns the client's agent.
    pub(crate) fn agent(&self) -> Box<dyn Agent> {
        self.bot.open("{}").unwrap()
    }

    /// Plays a block with the client's agent while `client` is called again and again.
    pub(crate) fn with(
        self,
        client: &(dyn Fn(SocketAddr) + Sync),
        play: impl FnOnce(Box<dyn Agent>) -> Record,
    ) -> Record {
        let (over, address) = (AtomicBool::new(false), self.address);
        thread::scope(|scope| {
            let over = &over;
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    client(address);
                }
            });
            let record = play(self.agent());
            over.store(true, Ordering::Relaxed);
            // A client that has reconnected may be waiting at the listener.
            drop(self);
            record
        })
    }
}

/// Returns a plan of this number of deals.
pub(crate) fn deals(deals: u32) -> BlockPlan {
    BlockPlan {
        deals,
        ..BlockPlan::default()
    }
}

/// Plays a block. Returns its record.
pub(crate) fn play<G: Game + 'static>(
    options: G::Options,
    plan: BlockPlan,
    block: u32,
    agents: &mut [Box<dyn Agent>],
) -> Record {
    let (game, seeds) = (G::new(options).unwrap(), LineUpSeeds::new(2024));
    let job = JobId { line_up: 0, block };
    let played = Table::new(&game).play_block(job, plan, &seeds, agents, &mut ());
    played.unwrap().0
}

/// Returns the faults of a record of this number of deals. All must be those of `entrant`.
pub(crate) fn faults(record: &Record, deals: u32, entrant: u8) -> Vec<(FaultKind, &str)> {
    assert_eq!(record.deals, deals);
    for fault in &record.faults {
        assert_eq!(fault.entrant, entrant, "{fault:?}");
    }
    let faults = record.faults.iter();
    faults.map(|fault| (fault.kind, &*fault.message)).collect()
}

/// Asserts that the client has one fault, of this kind and with these words.
#[track_caller]
pub(crate) fn check_one(faults: &[(FaultKind, &str)], kind: FaultKind, says: &str) {
    assert_eq!(faults.len(), 1, "{says}: {faults:?}");
    check_first(faults, kind, says);
}

/// Asserts that the first fault of the client is of this kind and has these words.
#[track_caller]
pub(crate) fn check_first(faults: &[(FaultKind, &str)], kind: FaultKind, says: &str) {
    let (first, message) = faults[0];
    assert!(
        first == kind && message.contains(says),
        "{says}: {faults:?}"
    );
}

/// Asserts that a client that was allowed to connect again twice has the expected faults.
#[track_caller]
pub(crate) fn check_rejoined(
    record: &Record,
    faults: &[(FaultKind, &str)],
    kind: FaultKind,
    says: &str,
) {
    check_first(faults, kind, says);
    let count: u32 = record.fault_counts.iter().sum();
    assert_eq!(count, 3, "two come again, the third ends it: {faults:?}");
    let end = "(it gets no more calls in this block)";
    assert!(faults[2].1.ends_with(end), "{faults:?}");
}

/// Runs clients of the test, one after another, until `during` has returned. `play` connects to the
/// address and plays a match. Returns the results of the matches as well.
pub(crate) fn comers<T, M: Send>(
    port: &Port,
    play: impl Fn(SocketAddr) -> io::Result<M> + Sync,
    during: impl FnOnce() -> T,
) -> (T, Vec<M>) {
    let (over, address) = (AtomicBool::new(false), port.address());
    thread::scope(|scope| {
        let matches = scope.spawn(|| {
            let mut matches = Vec::new();
            while !over.load(Ordering::Relaxed) {
                match play(address) {
                    Ok(played) => matches.push(played),
                    Err(_) => thread::sleep(Duration::from_millis(10)),
                }
            }
            matches
        });
        let outcome = during();
        over.store(true, Ordering::Relaxed);
        (outcome, matches.join().unwrap())
    })
}

/// Writes a league with these entrants. `rules` are its first lines.
pub(crate) fn league(folder: &Folder, name: &str, rules: &str, entrants: &str) {
    folder.write(name, format!("seed: 5\n{rules}\nentrants: [{entrants}]\n"));
}

/// Plays `x.yaml` whole, then kills and resumes it, and reports it.
pub(crate) fn check_killed_and_resumed(folder: &Folder, names: [&str; 5], first_ms: u64) {
    folder.succeeds("run x.yaml --no-report --store whole.sqlite");
    let whole = folder.records("whole.sqlite");
    assert!(whole.len() >= 30);
    no_faults(&whole);
    let kills = killed_again_and_again(folder.root(), "run x.yaml --quiet", first_ms);
    assert!(kills > 0);
    assert_eq!(folder.records("x.sqlite"), whole);
    let report = folder.succeeds("report x.yaml");
    for name in names {
        assert!(report.out.contains(name), "{}", report.out);
    }
}
