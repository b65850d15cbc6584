//! Our bots at servers that disconnect.

use super::client::{numbers, profile};
use super::leagues;
use crate::support::{Folder, Port, until, wait};
use std::io::{Read, Write, copy};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::Child;
use std::thread;

fn join(folder: &Folder, server: SocketAddr) -> Child {
    let server = server.to_string();
    folder.start(format!(
        "join uecda {server} --bot base --games 20 --wait 100"
    ))
}

fn league(folder: &Folder, port: &Port) {
    let entrants = format!(
        "all-k, default, single, all-s, {{name: guest, kind: uecda, listen: {port}, start_s: 30}}"
    );
    let rules = "blocks: 1\ndeals: 20\nrestarts: 0";
    leagues::league(folder, "x.yaml", &entrants, rules);
}

#[test]
fn a_bot_reconnects_if_the_server_closes_before_the_first_game() {
    let folder = Folder::new();
    let port = Port::free();
    let listener = TcpListener::bind(port.address()).unwrap();
    let bot = join(&folder, port.address());
    // The server closes the connection at once; after the profile; after the player number. Then it
    // is unavailable, and later available again.
    for words in 0..3 {
        let (mut tcp, _) = listener.accept().unwrap();
        if words > 0 {
            let mut heard = [0; 480];
            tcp.read_exact(&mut heard).unwrap();
            assert_eq!(heard[..], numbers(&profile(20070, "base")));
        }
        if words > 1 {
            tcp.write_all(&[0, 0, 0, 3]).unwrap();
        }
    }
    drop(listener);
    league(&folder, &port);
    folder.succeeds("run x.yaml --no-report");
    wait(bot)
        .code(0)
        .complains("player 3: 20 games, ")
        .never_says("ended early");
    // Without waiting time, the loss is reported.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap().to_string();
    let arguments = ["join", "uecda", &server, "--bot", "base", "--wait", "0"];
    let bot = folder.start(arguments);
    drop(listener.accept().unwrap());
    wait(bot).code(2).complains(
        "the server closed the connection before the first game; start it again, or wait longer with --wait",
    );
}

#[test]
fn a_match_that_ends_early_reports_the_games_played() {
    const GAMES: u64 = 3;
    let folder = Folder::new();
    let (port, listener) = (Port::free(), TcpListener::bind("127.0.0.1:0").unwrap());
    league(&folder, &port);
    let bot = join(&folder, listener.local_addr().unwrap());
    let (near, _) = listener.accept().unwrap();
    thread::scope(|scope| {
        let served = scope.spawn(|| folder.succeeds("run x.yaml --no-report --store lost.sqlite"));
        let far = until("the league listens", || {
            TcpStream::connect(port.address()).ok()
        });
        let (mut up, mut down) = (
            (near.try_clone().unwrap(), far.try_clone().unwrap()),
            (far, near),
        );
        scope.spawn(move || _ = copy(&mut up.0, &mut up.1));
        // A game has fewer than 200 turns of two tables and one or two numbers.
        let bytes = GAMES * 200 * (2 * 480 + 8);
        _ = copy(&mut (&down.0).take(bytes), &mut down.1);
        for tcp in [&mut down.0, &mut down.1] {
            _ = tcp.shutdown(Shutdown::Both);
        }
        served.join().unwrap();
    });
    let told = wait(bot)
        .code(2)
        .complains(["the match ended early: ", "player 3: "]);
    let games = told
        .err
        .split("player 3: ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    assert!(
        (GAMES..20).contains(&games.parse().unwrap()),
        "{}",
        told.err
    );
    assert!(
        !told.err.contains("all players: [0, 0, 0, 0, 0]"),
        "{}",
        told.err
    );
}
