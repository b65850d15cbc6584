//! Our bots at a dealer of the test, which can send anything.

use crate::support::{Ended, Folder, wait};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// Runs the bot `call` at a dealer that sends these lines, each with the expected answer if there
/// is one. Returns the result of the program.
fn joined(lines: &[(&str, Option<&str>)], more: &str) -> Ended {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    let bot = folder.start((format!("join acpc {server} --bot call"), more));
    let mut tcp = listener.accept().unwrap().0;
    let mut reader = BufReader::new(tcp.try_clone().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "VERSION:2.0.0\r\n");
    for (state, answer) in lines {
        tcp.write_all(format!("{state}\r\n").as_bytes()).unwrap();
        if let Some(answer) = answer {
            line.clear();
            reader.read_line(&mut line).unwrap();
            assert_eq!(line, format!("{state}:{answer}\r\n"));
        }
    }
    drop((reader, tcp));
    wait(bot)
}

#[test]
fn a_bot_answers_when_it_has_to_act_and_counts_hands_and_chips() {
    let lines = [
        ("# GUI: nothing for bots", None),
        ("MATCHSTATE:1:0::|9s8h", Some("c")),
        ("MATCHSTATE:1:0:c:|9s8h", None),
        ("MATCHSTATE:1:0:cc/:|9s8h/2c3c4c", None),
        ("MATCHSTATE:1:0:cc/r250:|9s8h/2c3c4c", Some("c")),
        ("MATCHSTATE:1:0:cc/r250c/:|9s8h/2c3c4c/5h", None),
        ("MATCHSTATE:1:0:cc/r250c/r350:|9s8h/2c3c4c/5h", Some("c")),
        ("MATCHSTATE:1:0:cc/r250c/r350c/:|9s8h/2c3c4c/5h/Td", None),
        (
            "MATCHSTATE:1:0:cc/r250c/r350c/r1000:|9s8h/2c3c4c/5h/Td",
            Some("c"),
        ),
        (
            "MATCHSTATE:1:0:cc/r250c/r350c/r1000c:AcAh|9s8h/2c3c4c/5h/Td",
            None,
        ),
        // Now the other player has the button.
        ("MATCHSTATE:0:1::AsAd|", None),
        ("MATCHSTATE:0:1:r20000:AsAd|", Some("c")),
        ("MATCHSTATE:0:1:r20000c///:AsAd|KsKd/2c3c4c/5h/9s", None),
    ];
    // The competition does not allow a fold when a check is possible.
    let fold = ("MATCHSTATE:1:0:cc/r250c/f:|9s8h/2c3c4c/5h", None);
    joined(&[&lines[..6], &[fold]].concat(), "")
        .code(2)
        .complains("`f` is not legal; the legal actions are c, r350 to r20000");
    joined(&lines, "")
        .code(0)
        .complains("2 hands, 19000 chips, +9500.0 big blinds / 100");
    // If the connection is lost in the second hand, the first hand is reported.
    let ended = joined(&lines[..11], "")
        .code(2)
        .complains("the match ended early: after 1 hands: it ");
    ended.complains("1 hand, -1000 chips, -1000.0 big blinds / 100");
}

#[test]
fn amounts_are_omitted_at_fixed_limit() {
    let lines = [
        ("MATCHSTATE:2:7::||AsTs", Some("c")),
        ("MATCHSTATE:2:7:c:||AsTs", None),
        ("MATCHSTATE:2:7:cr:||AsTs", None),
        ("MATCHSTATE:2:7:crf:||AsTs", Some("c")),
        ("MATCHSTATE:2:7:crfc/:||AsTs/4cJh8h", None),
        ("MATCHSTATE:2:7:crfc/r:||AsTs/4cJh8h", Some("c")),
    ];
    let ended = joined(&lines, "--preset acpc-limit");
    ended.code(2).complains([
        "the match ended early: after 0 hands: it ",
        "0 hands, 0 chips",
    ]);
}

#[test]
fn invalid_lines_of_a_dealer_and_invalid_arguments_are_reported() {
    for (line, says) in [
        ("MATCHSTATE:1:0:r150:|9s8h", "`r150` is not legal"),
        ("MATCHSTATE:1:0:cc/:|9s8h", "have [] board cards"),
        (
            "MATCHSTATE:0:0::|9s8h||||||||",
            "the line has 10 players, but hold'em supports 2 to 9",
        ),
        (
            "STATE:0",
            "`STATE:0`: the line must have the form MATCHSTATE",
        ),
        (
            "MATCHSTATE:0:0:r20000c///:9s8h|/2c3c4c/5h/9d",
            "the line ends in a showdown, but does not show the hands",
        ),
    ] {
        joined(&[(line, None)], "").code(2).complains(says);
    }
    let twice = [
        ("MATCHSTATE:0:0::9s8h|", None),
        ("MATCHSTATE:1:1::|9s8h", None),
    ];
    joined(&twice, "")
        .code(2)
        .complains("another hand begins before this one has ended");
    let gone = joined(&[], "--wait 0")
        .code(2)
        .complains("after 0 hands: it closed the connection");
    gone.complains([
        "the server closed the connection before the first game",
        "wait longer with --wait",
    ]);
    let folder = Folder::new();
    for (more, words) in [
        (
            "--options {\"ante\":5}",
            "--options: the ACPC format has no antes",
        ),
        ("--options {\"stack\":5}", "--options: stack is 5"),
        (
            "--preset nothing",
            "holdem has no preset `nothing`; its presets are cash",
        ),
        ("--game none.game", "none.game"),
        ("", "no server accepts connections"),
    ] {
        let join = "join acpc 127.0.0.1:1 --bot call --wait 0";
        folder.refuses((join, more), words);
    }
}
