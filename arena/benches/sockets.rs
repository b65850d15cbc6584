//! Measures the cost of the UECda protocol: deals per second with five trivial clients over
//! sockets, at one table and at two.
//!
//! Run with `cargo bench -p hattari --bench sockets`; `-- --seconds 20` extends the measurement.
//! Clients and tables share the process, so its processor time is the total cost. Prefer it to the
//! wall-clock time on a busy machine.

use hattari_agents::agent::socket::{ClientBot, ClientSpec, SocketListener};
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_agents::record::JobId;
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Table};
use hattari_contests::uecda::PROTOCOL;
use hattari_contests::uecda::table::{TABLE_BYTES, Version};
use hattari_play::league::Budget;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let seconds = arguments
        .iter()
        .position(|word| word == "--seconds")
        .and_then(|at| arguments.get(at + 1)?.parse().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(5.0));
    println!(
        "daihinmin, preset uecda, five trivial clients per table, blocks of 100 games, \
         one connection per block"
    );
    println!(
        "{:>8}{:>12}{:>10}{:>14}{:>20}{:>24}",
        "tables", "turns/deal", "deals/s", "turns/s", "ms of CPU time", "deals/s on two cores,"
    );
    println!(
        "{:>8}{:>12}{:>10}{:>14}{:>20}{:>24}",
        "", "", "", "", "per deal", "by CPU time"
    );
    for tables in [1, 2] {
        let (wall, busy) = (Instant::now(), processor());
        let (games, turns) = play(tables, time);
        let (wall, busy) = (
            wall.elapsed().as_secs_f64(),
            (processor() - busy).as_secs_f64(),
        );
        println!(
            "{tables:>8}{:>12.1}{:>10.0}{:>14.0}{:>20.2}{:>24.0}",
            turns / games,
            games / wall,
            turns / wall,
            1e3 * busy / games,
            2.0 * games / busy,
        );
    }
}

/// Plays blocks for the given time; returns the numbers of games and turns.
fn play(tables: u32, time: Duration) -> (f64, f64) {
    let over = AtomicBool::new(false);
    let end = Instant::now() + time;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..tables)
            .map(|number| {
                let over = &over;
                scope.spawn(move || {
                    let game = Daihinmin::new(Options::default()).expect("the default rules");
                    let mut table = Table::new(&game);
                    let listeners: Vec<Arc<SocketListener>> = (0..5)
                        .map(|_| {
                            Arc::new(
                                SocketListener::open(
                                    SocketAddr::from(([127, 0, 0, 1], 0)),
                                    &PROTOCOL.handshake,
                                )
                                .expect("a free port"),
                            )
                        })
                        .collect();
                    let mut turns = 0;
                    let mut agents: Vec<Box<dyn Agent>> = Vec::new();
                    let clients: Vec<_> = listeners
                        .iter()
                        .map(|listener| {
                            let mut spec =
                                ClientSpec::new(&PROTOCOL.handshake, "trivial", &Budget::default());
                            spec.listener = Some(Arc::clone(listener));
                            agents
                                .push(ClientBot::new(&PROTOCOL, spec).open("{}").expect("a seat"));
                            let address = listener.address();
                            scope.spawn(move || client(address, over))
                        })
                        .collect();
                    let plan = BlockPlan {
                        deals: 100,
                        ..BlockPlan::default()
                    };
                    let mut games = 0;
                    for block in 0.. {
                        let job = JobId {
                            line_up: number,
                            block,
                        };
                        let played =
                            table.play_block(job, plan, &LineUpSeeds::new(1), &mut agents, &mut ());
                        let (record, _) = played.expect("no process is killed");
                        assert!(record.faults.is_empty(), "{:?}", record.faults);
                        games += record.deals;
                        if end < Instant::now() {
                            break;
                        }
                    }
                    over.store(true, Ordering::Relaxed);
                    drop((agents, listeners));
                    for client in clients {
                        turns += client.join().expect("clients do not panic");
                    }
                    // All five clients count every turn.
                    (f64::from(games), f64::from(turns) / 5.0)
                })
            })
            .collect();
        let played = threads
            .into_iter()
            .map(|thread| thread.join().expect("tables do not panic"));
        played.fold((0.0, 0.0), |(games, turns), (g, t)| (games + g, turns + t))
    })
}

/// Plays matches until `over` is set; returns the number of turns it has seen.
fn client(address: SocketAddr, over: &AtomicBool) -> u32 {
    let mut turns = 0;
    while !over.load(Ordering::Relaxed) {
        // The listener may close while the client waits for the next match.
        _ = play_match(address, &mut turns);
    }
    turns
}

/// Plays a match: leads the weakest single, follows singles with the weakest higher card, otherwise
/// passes.
fn play_match(address: SocketAddr, turns: &mut u32) -> std::io::Result<()> {
    let mut out = TcpStream::connect(address)?;
    out.set_nodelay(true)?;
    let mut bytes = Vec::new();
    hattari_contests::uecda::profile(Version::Numbers, "trivial").put(Version::Numbers, &mut bytes);
    out.write_all(&bytes)?;
    let mut reader = BufReader::with_capacity(1 << 16, out.try_clone()?);
    let (mut number, mut table, mut field) = ([0; 4], [0; TABLE_BYTES], [0; TABLE_BYTES]);
    reader.read_exact(&mut number)?;
    let cell =
        |table: &[u8; TABLE_BYTES], row: usize, column: usize| table[60 * row + 4 * column + 3];
    let held = |table: &[u8; TABLE_BYTES]| {
        let table = *table;
        let all = (1..14).flat_map(|column| (0..4).map(move |row| (row, column)));
        all.filter(move |&(row, column)| cell(&table, row, column) == 1)
    };
    loop {
        reader.read_exact(&mut table)?;
        let mut answer = [0; TABLE_BYTES];
        if cell(&table, 5, 1) > 0 {
            for (row, column) in held(&table).take(cell(&table, 5, 1).into()) {
                answer[60 * row + 4 * column + 3] = 1;
            }
            out.write_all(&answer)?;
        }
        loop {
            reader.read_exact(&mut table)?;
            *turns += 1;
            if cell(&table, 5, 2) == 1 {
                let mut lying = held(&field);
                let (first, second) = (lying.next(), lying.next());
                let locked = cell(&table, 5, 7) == 1;
                let beats =
                    |&(row, column): &(usize, usize)| match (cell(&table, 5, 4), first, second) {
                        (1, ..) => true,
                        (_, Some((on, under)), None) => {
                            under < column && (!locked || on == row) && cell(&table, 5, 6) == 0
                        }
                        _ => false,
                    };
                let mut answer = [0; TABLE_BYTES];
                if let Some((row, column)) = held(&table).find(beats) {
                    answer[60 * row + 4 * column + 3] = 1;
                }
                out.write_all(&answer)?;
                reader.read_exact(&mut number)?;
            }
            reader.read_exact(&mut field)?;
            reader.read_exact(&mut number)?;
            if number != [0; 4] {
                break;
            }
        }
        if number == [0, 0, 0, 2] {
            return Ok(());
        }
    }
}

/// Returns the processor time of this process.
fn processor() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        now.tv_sec.unsigned_abs(),
        u32::try_from(now.tv_nsec).unwrap_or(0),
    )
}
