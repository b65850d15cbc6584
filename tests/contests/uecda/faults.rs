//! Faulty clients: each fault costs only the client itself, and nothing hangs.

use super::client::{Ask, Client, Table, cells, held, numbers, profile, simple, simple_answer};
use crate::place::{self, Place, check_one, check_rejoined, deals, play};
use crate::support::has;
use hattari_agents::agent::{Agent, AgentError, Turn};
use hattari_agents::record::{FaultKind, Record};
use hattari_agents::table::{BlockPlan, FaultPolicy};
use hattari_contests::uecda::PROTOCOL;
use hattari_plugin::Choice;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

/// A bot that takes the last action, so that it plays whenever it can.
struct Last;

impl Agent for Last {
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        Ok((turn.legal.count() as usize - 1).into())
    }
}

/// Plays 12 deals with one client and four built-in bots. The client reconnects until the block is
/// over.
fn with(place: Place, plan: BlockPlan, client: &(dyn Fn(SocketAddr) + Sync)) -> Record {
    place.with(client, |agent| block(plan, 5, agent))
}

/// Plays a block of the client's agent and four others. Titles are reset after `rank_reset` deals.
fn block(plan: BlockPlan, rank_reset: u32, agent: Box<dyn Agent>) -> Record {
    let mut agents: Vec<Box<dyn Agent>> = Vec::new();
    agents.resize_with(4, || Box::new(Last));
    agents.insert(2, agent);
    let options = Options {
        rank_reset,
        ..Options::default()
    };
    play::<Daihinmin>(options, plan, 0, &mut agents)
}

/// Returns a client that plays simply until its play `number` of a match (0 is the first), and then
/// calls `does`.
fn at_turn(
    number: u32,
    does: impl Fn(&mut Client, &Table, &Table) -> std::io::Result<()> + Sync,
) -> impl Fn(SocketAddr) + Sync {
    move |address| {
        let Ok(client) = Client::come(address, 20070, "client") else {
            // The listener is closed: the block is over.
            return thread::sleep(Duration::from_millis(1));
        };
        let mut turns = 0;
        client.play(&mut |client, ask| match ask {
            Ask::Play(turn, field) => {
                turns += u32::from(!cells(&simple_answer(ask)).is_empty());
                if turns == number + 1 {
                    turns += 1;
                    does(client, turn, field)
                } else {
                    simple(client, ask)
                }
            }
            Ask::Gift(_) => simple(client, ask),
        });
    }
}

/// Leaves the match.
fn close() -> std::io::Result<()> {
    Err(std::io::Error::other("enough"))
}

/// Sends nothing more until the client is disconnected.
fn fall_silent(client: &mut Client) -> std::io::Result<()> {
    client.tcp.read_to_end(&mut Vec::new())?;
    close()
}

/// Returns a seat with limits that are long enough for correct clients on a busy machine, but short
/// for clients that do not answer.
fn short() -> Place {
    Place::new(&PROTOCOL, Duration::from_secs(30), Duration::from_secs(3))
}

/// Returns the faults of the client. Asserts that no other player has any.
fn faults(record: &Record) -> Vec<(FaultKind, &str)> {
    place::faults(record, 12, 2)
}

#[test]
fn a_client_that_writes_slowly_has_no_faults() {
    let honest = with(short(), deals(12), &at_turn(9999, |_, _, _| Ok(())));
    assert_eq!(faults(&honest), []);
    let slow = with(
        Place::patient(&PROTOCOL),
        deals(12),
        &at_turn(3, |client, turn, field| {
            for piece in numbers(&simple_answer(Ask::Play(turn, field))).chunks(7) {
                client.tcp.write_all(piece)?;
                thread::sleep(Duration::from_micros(300));
            }
            Ok(())
        }),
    );
    assert_eq!(slow, honest, "pieces are put together");
}

#[test]
fn an_invalid_play_is_a_fault_and_counts_as_a_pass() {
    let honest = with(short(), deals(12), &at_turn(9999, |_, _, _| Ok(())));
    let send = |table: Table| move |client: &mut Client, _: &Table, _: &Table| client.send(&table);
    let with_cells = |cells: &[(usize, usize, i32)]| {
        let mut table = [[0; 15]; 8];
        cells
            .iter()
            .for_each(|&(row, column, number)| table[row][column] = number);
        table
    };
    for (table, says) in [
        (
            with_cells(&[(0, 1, i32::MIN)]),
            "a cell contains -2147483648",
        ),
        (with_cells(&[(0, 3, 2), (0, 4, 2)]), "2 jokers"),
        (
            with_cells(&[(0, 3, 1), (2, 9, 1)]),
            "neither a single nor a group nor a sequence",
        ),
        ([[1; 15]; 8], "outside the thirteen ranks"),
    ] {
        let record = with(short(), deals(12), &at_turn(5, send(table)));
        check_one(&faults(&record), FaultKind::IllegalAction, says);
        assert_ne!(record.digest, honest.digest, "it has passed instead");
    }
    // Other cells in the table do not matter, because servers never read them.
    let noisy = at_turn(5, |client, turn, field| {
        let mut table = simple_answer(Ask::Play(turn, field));
        table[5].fill(-7);
        table[6].fill(9);
        table[7].fill(i32::MAX);
        client.send(&table)
    });
    assert_eq!(with(short(), deals(12), &noisy), honest);
}

#[test]
fn cards_not_in_the_hand_and_invalid_gifts_are_faults() {
    let stolen = at_turn(0, |client, turn, _| {
        let mut table = [[0; 15]; 8];
        let column = (1..14)
            .find(|&column| (0..4).all(|row| turn[row][column] == 0))
            .unwrap_or(13);
        table[0][column] = if turn[0][column] == 0 { 1 } else { 2 };
        client.send(&table)
    });
    let record = with(short(), deals(12), &stolen);
    has(faults(&record)[0].1, "not in the hand");
    // Too few or too many cards, or cards of other players: the server takes the strongest cards,
    // and this is a fault.
    let mean = |address| {
        let Ok(client) = Client::come(address, 20140, "client") else {
            return;
        };
        client.play(&mut |client, ask| match ask {
            Ask::Gift(start) => {
                let mut table = [[0; 15]; 8];
                for (row, column) in held(start).take(5) {
                    table[row][column] = 1;
                }
                client.send(&table)
            }
            Ask::Play(..) => simple(client, ask),
        });
    };
    let record = with(short(), deals(12), &mean);
    let faults = faults(&record);
    assert!(
        faults
            .iter()
            .all(|(kind, says)| *kind == FaultKind::IllegalAction && says.contains("exchange: "))
    );
    assert!(!faults.is_empty(), "it never was above the others");
}

#[test]
fn a_client_that_times_out_or_disconnects_skips_the_deal_and_can_rejoin() {
    let late = Duration::from_millis(300);
    let place = || Place::new(&PROTOCOL, Duration::from_secs(30), late);
    let half = |client: &mut Client, _: &Table, _: &Table| {
        client.tcp.write_all(&[0; 200])?;
        fall_silent(client)
    };
    let silent = |client: &mut Client, _: &Table, _: &Table| fall_silent(client);
    let half_close = |client: &mut Client, _: &Table, _: &Table| {
        client.tcp.write_all(&[0; 479])?;
        client.tcp.shutdown(Shutdown::Both)?;
        close()
    };
    let plan = BlockPlan {
        restarts: 2,
        ..deals(12)
    };
    for (record, kind, says) in [
        (
            with(place(), plan, &at_turn(2, half)),
            FaultKind::Time,
            "play: only 200 of 480 bytes arrived in time",
        ),
        (
            with(place(), plan, &at_turn(2, silent)),
            FaultKind::Time,
            "play: no data arrived in time",
        ),
        (
            with(short(), plan, &at_turn(2, |_, _, _| close())),
            FaultKind::Crash,
            "play: it ",
        ),
        (
            with(short(), plan, &at_turn(2, half_close)),
            FaultKind::Crash,
            "play: it closed the connection after 479 of 480",
        ),
    ] {
        check_rejoined(&record, &faults(&record), kind, says);
    }
}

#[test]
fn a_client_that_sends_out_of_turn_is_disconnected() {
    let babble = at_turn(2, |client, turn, field| {
        let mut twice = numbers(&simple_answer(Ask::Play(turn, field)));
        twice.extend(numbers(turn));
        client.tcp.write_all(&twice)
    });
    let record = with(
        short(),
        BlockPlan {
            restarts: 1,
            ..deals(12)
        },
        &babble,
    );
    let faults = faults(&record);
    assert_eq!((faults.len(), faults[0].0), (2, FaultKind::Error));
    has(faults[0].1, "sent 480 unrequested bytes");
}

#[test]
fn a_forfeited_block_is_played_without_the_client() {
    let plan = BlockPlan {
        faults: FaultPolicy::Forfeit,
        ..deals(12)
    };
    let record = with(
        short(),
        plan,
        &at_turn(1, |client, _, _| client.send(&[[1; 15]; 8])),
    );
    assert_eq!(
        (faults(&record).len(), record.forfeits, record.sum[2]),
        (1, 0b100, 12)
    );
}

#[test]
fn clients_without_a_greeting_are_disconnected_and_the_league_continues() {
    let place = Place::new(&PROTOCOL, Duration::from_secs(4), Duration::from_secs(3));
    let says = |bytes: Vec<u8>| {
        let mut tcp = TcpStream::connect(place.address).unwrap();
        tcp.write_all(&bytes).unwrap();
        // The connection is closed without a message.
        let mut said = Vec::new();
        _ = tcp.read_to_end(&mut said);
        assert!(said.is_empty());
    };
    let start = std::time::Instant::now();
    says(numbers(&profile(20071, "new")));
    says(numbers(&profile(20060, "old")));
    says(
        profile(20070, "other end")
            .as_flattened()
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect(),
    );
    assert!(start.elapsed() < Duration::from_secs(60));
    says(numbers(&profile(20070, "half"))[..300].to_vec());
    says(Vec::new());
    let record = block(deals(12), Options::default().rank_reset, place.agent());
    let faults = faults(&record);
    check_one(
        &faults,
        FaultKind::Start,
        "no client connected to 127.0.0.1:",
    );
    has(
        faults[0].1,
        "a client was rejected: the client sent no profile within 2.0005s",
    );
}

#[test]
fn a_late_answer_is_a_fault_and_play_goes_on() {
    const ALLOWED: Duration = Duration::from_secs(1);
    let plan = BlockPlan {
        budget_us: 1_000_000,
        ..deals(12)
    };
    let late = at_turn(3, |client, turn, field| {
        // The request has been sent by now. On any machine more than the allowed time passes.
        thread::sleep(ALLOWED + Duration::from_millis(1));
        client.send(&simple_answer(Ask::Play(turn, field)))
    });
    let record = with(short(), plan, &late);
    let faults = faults(&record);
    assert_eq!(faults[0].0, FaultKind::Time);
    assert!(
        faults[0].1.starts_with("play: ") && faults[0].1.ends_with("µs; 1000000 µs are allowed"),
        "{faults:?}"
    );
    // The client has connected once and stayed. Repeated late answers would be caused by a slow
    // machine.
    assert!(
        faults.iter().all(|(kind, _)| *kind == FaultKind::Time) && faults.len() < 12,
        "{faults:?}"
    );
}
