//! Our bots at servers that go away.

use super::client::{numbers, profile};
use super::leagues::{Folder, free_port};
use crate::support::{Ended, command};
use std::io::{Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread;

fn join(folder: &Folder, port: u16) -> Child {
    let server = format!("127.0.0.1:{port}");
    let arguments = ["join", "uecda", &server, "--bot", "base", "--games", "20", "--wait", "100"];
    command(&folder.path(""), &arguments).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

fn ended(bot: Child) -> Ended {
    let output = bot.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

fn league(folder: &Folder, port: u16) {
    let guest = format!("{{name: guest, kind: uecda, listen: {port}, start_s: 30}}");
    let bots = ["all-k", "default", "single", "all-s"].map(str::to_owned);
    folder.league("x.yaml", &[&bots[..], &[guest]].concat(), "blocks: 1\ndeals: 20\nrestarts: 0");
}

#[test]
fn a_server_that_goes_away_before_the_first_game_is_waited_for() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let bot = join(&folder, port);
    // It closes at once; it hears who comes; it says who that is. Then it is gone, and after a while it is there.
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
    league(&folder, port);
    folder.run(&["run", "x.yaml", "--no-report"]).code(0);
    ended(bot).code(0).complains("player 4: 20 games, ").never_says("broke off");
    // Without patience it is told.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap().to_string();
    let arguments = ["join", "uecda", &server, "--bot", "base", "--wait", "0"];
    let bot = command(&folder.path(""), &arguments).stderr(Stdio::piped()).spawn().unwrap();
    drop(listener.accept().unwrap());
    ended(bot)
        .code(2)
        .complains("the server went away before the first game; start it again, or wait longer with --wait");
}

#[test]
fn a_match_that_is_lost_in_the_middle_tells_of_its_games() {
    const GAMES: u64 = 3;
    let folder = Folder::new();
    let (port, listener) = (free_port(), TcpListener::bind("127.0.0.1:0").unwrap());
    league(&folder, port);
    let bot = join(&folder, listener.local_addr().unwrap().port());
    let (near, _) = listener.accept().unwrap();
    thread::scope(|scope| {
        let served = scope.spawn(|| folder.run(&["run", "x.yaml", "--no-report", "--store", "lost.sqlite"]).code(0));
        let far = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(far) => break far,
                Err(_) => thread::yield_now(),
            }
        };
        let (mut up, mut down) = ((near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near));
        scope.spawn(move || _ = copy(&mut up.0, &mut up.1));
        // A game has fewer than 200 turns of two tables and a number or two.
        let bytes = GAMES * 200 * (2 * 480 + 8);
        _ = copy(&mut (&down.0).take(bytes), &mut down.1);
        for tcp in [&mut down.0, &mut down.1] {
            _ = tcp.shutdown(Shutdown::Both);
        }
        served.join().unwrap();
    });
    let told = ended(bot).code(2).complains("the match broke off: ").complains("player 4: ");
    let games = told.err.split("player 4: ").nth(1).unwrap().split(' ').next().unwrap();
    assert!((GAMES..20).contains(&games.parse().unwrap()), "{}", told.err);
    assert!(!told.err.contains("all players: [0, 0, 0, 0, 0]"), "{}", told.err);
}
