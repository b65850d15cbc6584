//! Faulty clients: each fault costs only the client itself, and nothing hangs.

use super::client::{Client, Table, simple, simple_action, table};
use crate::place::{self, Place, check_one, check_rejoined, deals, play};
use crate::support::has;
use hattari_agents::agent::Agent;
use hattari_agents::agent::reference::Random;
use hattari_agents::record::{FaultKind, Record};
use hattari_agents::table::BlockPlan;
use hattari_contests::acpc::PROTOCOL;
use hattari_plugin::games::holdem::{Holdem, Options};
use std::io::{Error, Read, Result, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

/// Number of hands in a block.
const DEALS: u32 = 40;
const VERSION: &str = "VERSION:2.0.0\r\n";

/// Plays a block of the client's agent and a random one.
fn block(plan: BlockPlan, agent: Box<dyn Agent>) -> Record {
    let mut agents: Vec<Box<dyn Agent>> = vec![Box::<Random<Holdem>>::default(), agent];
    play::<Holdem>(Options::preset("acpc").unwrap(), plan, 0, &mut agents)
}

/// Plays a block of a patient place while `client` is called again and again.
fn with(plan: BlockPlan, client: &(dyn Fn(SocketAddr) + Sync)) -> Record {
    Place::patient(&PROTOCOL).with(client, |agent| block(plan, agent))
}

/// The behaviour of a client at a turn, given its state and the betting so far.
trait Does: Fn(&mut Client, &str, &Table) -> Result<()> + Sync {}
impl<F: Fn(&mut Client, &str, &Table) -> Result<()> + Sync> Does for F {}

/// Returns a client that plays simply until turn `number` of a match (0 is the first), and then
/// calls `does`.
fn at_turn(number: u32, does: impl Does) -> impl Fn(SocketAddr) + Sync {
    move |address| {
        let mut turns = 0;
        play_at(address, VERSION, &mut |client, state, table| {
            turns += 1;
            if turns == number + 1 {
                does(client, state, table)
            } else {
                simple(client, state, table)
            }
        });
    }
}

/// Returns a client that calls `does` at every turn.
fn at_every_turn(does: impl Does) -> impl Fn(SocketAddr) + Sync {
    move |address| play_at(address, VERSION, &mut &does)
}

/// Connects and plays a match, in which `answer` is called at every turn.
fn play_at(
    address: SocketAddr,
    greeting: &str,
    answer: &mut dyn FnMut(&mut Client, &str, &Table) -> Result<()>,
) {
    match Client::come(address, greeting) {
        // A client that is disconnected notices it while playing.
        Ok(client) => _ = client.play(answer),
        // The listener is closed: the block is over.
        Err(_) => thread::sleep(Duration::from_millis(1)),
    }
}

/// Leaves the match.
fn close() -> Result<()> {
    Err(Error::other("enough"))
}

/// Sends nothing more until the client is disconnected.
fn fall_silent(client: &mut Client) -> Result<()> {
    client.tcp.read_to_end(&mut Vec::new())?;
    close()
}

fn plan() -> BlockPlan {
    deals(DEALS)
}

fn honest() -> Record {
    let record = with(plan(), &at_turn(u32::MAX - 1, simple));
    assert_eq!(faults(&record), []);
    record
}

/// Returns the faults of the client. Asserts that no other player has any.
fn faults(record: &Record) -> Vec<(FaultKind, &str)> {
    place::faults(record, DEALS, 1)
}

#[test]
fn the_rules_of_the_test_client_agree_with_the_protocol_examples() {
    let cases = [
        ("", [100, 50], Some(1), 200),
        ("c", [100, 100], Some(0), 200),
        ("r300", [100, 300], Some(0), 500),
        ("cc/", [100, 100], Some(0), 200),
        ("cc/r250", [250, 100], Some(1), 400),
        ("r300c/cr600", [300, 600], Some(0), 900),
        ("r300r20000c///", [20_000, 20_000], None, 20_100),
        ("cc/cc/cc/cc", [100, 100], None, 200),
    ];
    for (betting, spent, to_act, lowest) in cases {
        assert_eq!(
            table(betting),
            Table {
                spent,
                to_act,
                lowest
            },
            "{betting}"
        );
    }
    assert_eq!(table("r300f").to_act, None);
}

#[test]
fn valid_answers_in_any_form_cause_no_fault() {
    let honest = honest();
    // Valid variants: lines in pieces; with a bare line feed; after comments; after lines that
    // answer no state or an earlier state, which a dealer ignores; several answers to one state, of
    // which the first counts; text while others have to act.
    let slow = at_every_turn(|client, state, table| {
        for piece in format!("{state}:{}\r\n", simple_action(state, table))
            .as_bytes()
            .chunks(5)
        {
            client.tcp.write_all(piece)?;
            thread::sleep(Duration::from_micros(200));
        }
        Ok(())
    });
    let bare = at_every_turn(|client, state, table| {
        client.say(&format!("{state}:{}\n", simple_action(state, table)))
    });
    let chatty = at_every_turn(|client, state, table| {
        let action = simple_action(state, table);
        client.say(&format!(
            "# thinking\r\n; {state}:f\r\n\r\nMATCHSTATE:0:9999:c:|AsAd:f\r\n{state}\r\nnonsense\n{state}:{action}\r\n"
        ))
    });
    let twice = at_every_turn(|client, state, table| {
        let action = simple_action(state, table);
        client.say(&format!(
            "{state}:{action}\r\n{state}:r20000\r\n{state}:f\r\n"
        ))
    });
    for client in [
        &slow as &(dyn Fn(SocketAddr) + Sync),
        &bare,
        &chatty,
        &twice,
    ] {
        assert_eq!(with(plan(), client), honest);
    }
}

#[test]
fn illegal_answers_are_faults_and_the_league_continues() {
    let honest = honest();
    let say = |action: &'static str| {
        move |client: &mut Client, state: &str, _: &Table| {
            client.say(&format!("{state}:{action}\r\n"))
        }
    };
    for (action, kind, says) in [
        (
            "r20001",
            FaultKind::IllegalAmount,
            "act: `r20001` is not legal; ",
        ),
        (
            "r1",
            FaultKind::IllegalAmount,
            "the legal actions are f, c, r200 to r20000",
        ),
        ("r0", FaultKind::IllegalAmount, "`r0`"),
        ("r", FaultKind::IllegalAmount, "`r` is not legal"),
        (
            "r99999999999999999999999",
            FaultKind::IllegalAction,
            "is not an action",
        ),
        ("r-5", FaultKind::IllegalAction, "`r-5` is not an action"),
        ("x", FaultKind::IllegalAction, "`x` is not an action"),
        ("", FaultKind::IllegalAction, "`` is not an action"),
        ("call", FaultKind::IllegalAction, "`call` is not an action"),
    ] {
        let record = with(plan(), &at_turn(0, say(action)));
        check_one(&faults(&record), kind, says);
    }
    // A fold is ignored if a check is free: dealers check instead, and so does the league.
    let answering = |free: &'static str| {
        at_every_turn(move |client, state, table| {
            let action = if table.spent[0] == table.spent[1] {
                free.to_owned()
            } else {
                simple_action(state, table)
            };
            client.say(&format!("{state}:{action}\r\n"))
        })
    };
    let [folds, checks] = ["f", "c"].map(|free| with(plan(), &answering(free)));
    assert_eq!((folds.digest, &folds.sum), (checks.digest, &checks.sum));
    assert!(folds.fault_counts[1] > 0 && checks.faults.is_empty() && honest.faults.is_empty());
    assert!(
        faults(&folds)
            .iter()
            .all(|(kind, says)| *kind == FaultKind::IllegalAction
                && says.starts_with("act: `f` is not legal; the legal actions are c, "))
    );
}

#[test]
fn a_client_that_times_out_or_disconnects_skips_the_deal_and_can_rejoin() {
    let half = |client: &mut Client, state: &str, _: &Table| {
        client.say(&state[..state.len() / 2])?;
        fall_silent(client)
    };
    let old = |client: &mut Client, _: &str, _: &Table| {
        client.say("MATCHSTATE:0:9999:c:|AsAd:c\r\n")?;
        fall_silent(client)
    };
    let silent = |client: &mut Client, _: &str, _: &Table| fall_silent(client);
    let half_close = |client: &mut Client, state: &str, _: &Table| {
        client.say(&format!("{state}:"))?;
        client.tcp.shutdown(Shutdown::Both)?;
        close()
    };
    let plan = BlockPlan {
        restarts: 2,
        ..plan()
    };
    let late = |client: &(dyn Fn(SocketAddr) + Sync)| {
        let place = Place::new(&PROTOCOL, Duration::from_secs(30), Duration::from_secs(3));
        place.with(client, |agent| block(plan, agent))
    };
    // These blocks wait for time limits, so they are played at the same time.
    let clients: [&(dyn Fn(SocketAddr) + Sync); 3] =
        [&at_turn(2, half), &at_turn(2, silent), &at_turn(2, old)];
    let [half, silent, old] = thread::scope(|scope| {
        clients
            .map(|client| scope.spawn(move || late(client)))
            .map(|played| played.join().unwrap())
    });
    for (record, kind, says) in [
        (
            half,
            FaultKind::Time,
            "bytes arrived in time, but no end of line",
        ),
        (silent, FaultKind::Time, "act: no data arrived in time"),
        (
            old,
            FaultKind::Time,
            "; ignored 1 line, the last `MATCHSTATE:0:9999:c:|AsAd:c`",
        ),
        (
            with(plan, &at_turn(2, |_, _, _| close())),
            FaultKind::Crash,
            "act: it ",
        ),
        (
            with(plan, &at_turn(2, half_close)),
            FaultKind::Crash,
            "act: it closed the connection after",
        ),
    ] {
        check_rejoined(&record, &faults(&record), kind, says);
    }
}

#[test]
fn endless_output_of_a_client_is_cut_off() {
    let plan = BlockPlan {
        restarts: 0,
        ..plan()
    };
    let many = at_turn(1, |client, _, _| {
        client.say(&"MATCHSTATE:0:9999:c:|AsAd:c\r\n".repeat(1000))
    });
    let long = at_turn(1, |client, _, _| client.say(&"x".repeat(5000)));
    for (client, says) in [
        (
            &many as &(dyn Fn(SocketAddr) + Sync),
            "act: too many lines without an answer; ignored 1,000 lines, the last `MATCHSTATE:0:9999:",
        ),
        (&long, "act: it sent a line of more than 4096 bytes"),
    ] {
        check_one(&faults(&with(plan, client)), FaultKind::Error, says);
    }
}

#[test]
fn clients_of_other_versions_are_disconnected_and_the_league_continues() {
    let cases = [
        (
            "VERSION:1.0.0\r\n",
            "the client uses VERSION:1.0.0; this host supports version 2.0.0",
        ),
        ("VERSION:2.1.0\n", "the client uses VERSION:2.1.0"),
        (
            "VERSION:2.0\n",
            "the client began with `VERSION:2.0`; the first line must be `VERSION:2.0.0`",
        ),
        (
            "MATCHSTATE:0:0::|AsAd:c\r\n",
            "the client began with `MATCHSTATE",
        ),
        (
            "VERSION:2.0.0",
            "closed the connection after 13 bytes of a line",
        ),
    ];
    let check = |(greeting, says): (&str, &str)| {
        let place = Place::new(&PROTOCOL, Duration::from_secs(2), Duration::from_secs(30));
        let mut tcp = TcpStream::connect(place.address).unwrap();
        tcp.write_all(greeting.as_bytes()).unwrap();
        tcp.shutdown(Shutdown::Write).unwrap();
        // The connection is closed without a message.
        let mut said = Vec::new();
        _ = tcp.read_to_end(&mut said);
        assert!(said.is_empty());
        let record = block(plan(), place.agent());
        let faults = faults(&record);
        check_one(&faults, FaultKind::Start, says);
        has(faults[0].1, "no client connected to 127.0.0.1:");
    };
    // Each case waits for a time limit, so they run at the same time.
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
    // A later revision, a bare line feed and comments before the version are accepted.
    let greeting = "# hello\r\nVERSION:2.0.7\n";
    let client = |address| play_at(address, greeting, &mut simple);
    assert_eq!(with(plan(), &client), honest());
}
