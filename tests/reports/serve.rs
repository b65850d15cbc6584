//! `hattari serve`, without a browser: access control, answers, and the end of the server.
#![cfg(unix)]

use crate::support::server::Server;
use crate::support::{Folder, JsonPart, has, shell, until};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::time::Duration;

pub(super) const LEAGUE: &str = "game: daihinmin\nseed: 5\nentrants: [base, random, plain, default, all]\n\
                      format: {kind: line-ups, size: 5}\nblocks: 3\ndeals: 4\n";

pub(super) fn folder(leagues: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in leagues {
        folder.write(name, text);
    }
    folder
}

/// Played leagues come first; the rest is sorted in natural order. Each league shows its game,
/// entrants, leader and verdict.
#[test]
fn the_index_lists_all_leagues_with_their_state() {
    let second = format!("# Which of five is\n# the best. And more:\n#\n# not this\n{LEAGUE}");
    let folder = folder(&[
        ("a10.yaml", LEAGUE),
        ("a9.yaml", LEAGUE),
        ("b.yaml", &second),
    ]);
    folder.succeeds("run b.yaml --quiet");
    let server = Server::start(folder.root(), ".");
    let index = until("the leader is known", || {
        let index = server.get("/").body;
        index.contains(" leads: ").then_some(index)
    });
    let place = |text: &str| {
        index
            .find(text)
            .unwrap_or_else(|| panic!("{text} in {index}"))
    };
    assert!(
        place("/league/2\">b<") < place("/league/0\">a9<"),
        "{index}"
    );
    assert!(
        place("/league/0\">a9<") < place("/league/1\">a10<"),
        "{index}"
    );
    assert!(
        place(">daihinmin<") < place("Which of five is the best.</p>"),
        "{index}"
    );
    assert!(
        place(">5 entrants<") < place("All 3 blocks have been played."),
        "{index}"
    );
    let report = folder.report("b.yaml");
    let leader = format!("<strong>{} (", report["bots"][0]["name"].text());
    let line = &index[place(&leader)..];
    let line = &line[..line.find("</p>").unwrap()];
    has(line, " points per deal)</strong> leads: ");
    assert!(
        ["ahead of ", "undecided against "]
            .iter()
            .any(|verdict| line.contains(verdict)),
        "{line}"
    );
    has(line, "Played 20");
    has(line, " UTC.");
    assert_eq!(index.matches(" leads: ").count(), 1, "{index}");
}

/// The second run plays as many blocks as the first, and the last change is not played.
#[test]
fn the_page_of_a_league_shows_the_last_run() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    folder.succeeds("run a.yaml --quiet");
    let server = Server::start(folder.root(), "a.yaml");
    has(&server.get("/league/0").body, "Seed 5");
    folder.write("a.yaml", LEAGUE.replace("seed: 5", "seed: 6"));
    folder.succeeds("run a.yaml --quiet");
    has(&server.get("/league/0").body, "Seed 6");
    // The settings of the report may change without a run.
    let again = LEAGUE.replace("seed: 5", "seed: 6") + "report: {confidence: 0.9}\n";
    folder.write("a.yaml", again);
    has(&server.get("/league/0").body, "90 % CI");
}

/// A read from a pipe never ends: a league or store that is a pipe does not block the others.
#[test]
fn an_unreadable_league_does_not_block_the_index() {
    let folder = folder(&[("a.yaml", LEAGUE), ("b.yaml", LEAGUE), ("c.yaml", LEAGUE)]);
    let pipe = |name: &str| _ = shell(folder.root(), &format!("mkfifo {name}")).code(0);
    pipe("d.yaml");
    let server = Server::start(folder.root(), ".");
    fs::remove_file(folder.path("b.yaml")).unwrap();
    pipe("b.yaml");
    pipe("c.sqlite");
    for _ in 0..3 {
        let texts = [">a<", ">b<", ">c<", "Nothing has been played yet."];
        let index = server.get("/").gives(200, texts);
        assert!(!index.body.contains(">d<"), "{}", index.body);
    }
    assert_eq!(server.get("/league/1/play").status, 422);
}

/// With few file descriptors, connections with incomplete requests are closed in favour of complete
/// ones.
#[test]
fn incomplete_requests_do_not_block_complete_ones() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    let server = Server::start_with_files(folder.root(), "a.yaml", 150);
    let half = format!("GET / HTTP/1.1\r\nhost: {}\r\n", server.address);
    let waiting: Vec<_> = (0..400).map(|_| server.send_part(&half)).collect();
    for _ in 0..20 {
        assert_eq!(server.get("/").status, 200);
    }
    drop(waiting);
}

/// There is a time limit for the head and the body of a request.
#[test]
fn incomplete_requests_are_closed_after_a_time_limit() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    let server = Server::start(folder.root(), "a.yaml");
    let head = format!(
        "POST /league/0/play HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n",
        server.address
    );
    let parts = [
        String::new(),
        head.clone(),
        format!("{head}content-length: 30\r\n\r\n{{"),
    ];
    let waiting = parts.map(|part| server.send_part(&part));
    let answers = waiting.map(|mut stream| {
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server closes the connection");
        answer
    });
    assert!(answers[..2].iter().all(String::is_empty), "{answers:?}");
    has(&answers[2], "the request did not arrive in time");
    let long = json!({"line_up": 0, "place": 0, "more": "x".repeat(70_000)});
    assert_eq!(server.post("/league/0/play", &long).status, 400);
}

/// Connections for streams of events are limited, so that others remain free.
#[test]
fn the_number_of_event_streams_is_limited() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    // A quarter of the files are connections, and a quarter of these are streams of leagues.
    let server = Server::start_with_files(folder.root(), "a.yaml", 160);
    let listen = |_| {
        let mut events = server.events("/league/0/events");
        assert!(events.next().is_some());
        events
    };
    let mut listening: Vec<_> = (0..10).map(listen).collect();
    server
        .get("/league/0/events")
        .gives(503, "too many pages are open");
    assert_eq!(server.get("/league/0").status, 200);
    listening.pop();
    let first = until("a place becomes free", || {
        server.events("/league/0/events").next()
    });
    assert!(first["text"].is_string());
}

/// The server ends without waiting for slow bots or for open streams of events.
#[test]
fn a_signal_stops_the_server_immediately() {
    let league = LEAGUE.replace("all]", "{name: slow, bot: slow.lua}]")
        + "budget: {lua_steps: 4000000000}\n";
    let lua = "return { act = function(view, legal) while true do end end }";
    let folder = folder(&[("x.yaml", &league), ("slow.lua", lua)]);
    let server = Server::start(folder.root(), "x.yaml");
    let mut events = server.events(&(server.join().table() + "/events"));
    assert_eq!(events.next().unwrap()["kind"], "deal");
    let mut league = server.events("/league/0/events");
    assert!(league.next().is_some());
    let game = format!(
        "GET /league/0/game HTTP/1.1\r\nhost: {}\r\n\r\n",
        server.address
    );
    let _replayed = server.send_part(&game);
    assert_eq!(server.get("/").status, 200);
    let (code, took) = server.end("TERM");
    assert_eq!(code, 0);
    // It takes half a second; the rest allows for a machine with other load.
    assert!(took < Duration::from_millis(2500), "the end took {took:?}");
}

/// A person cannot play in a league with contest programs. No link leads to that page, and the page
/// gives the reason and a remedy.
#[test]
fn a_league_of_contest_programs_offers_no_seat_and_gives_the_reason() {
    let contest = LEAGUE.replace("random,", "{name: guest, kind: uecda, command: [./guest]},");
    let folder = folder(&[("a.yaml", LEAGUE), ("b.yaml", &contest)]);
    let server = Server::start(folder.root(), ".");
    let index = server.get("/").body;
    assert!(
        index.contains("/league/0/play") && !index.contains("/league/1/play"),
        "{index}"
    );
    assert!(!server.get("/league/0").body.contains("var HattariNoTable"));
    has(&server.get("/league/1").body, "var HattariNoTable = true;");
    let texts = [
        "You cannot play in b",
        "guest is a program that runs only while a league is played",
        "copy b.yaml to another file",
        "Back to the league",
    ];
    server.get("/league/1/play").gives(200, texts);
    let asked = server.post("/league/1/play", &json!({"line_up": 0, "place": 0}));
    asked.gives(400, []);
    // A page also reports that a file is no longer a league.
    folder.write("a.yaml", "not: a league\n");
    server
        .get("/league/0/play")
        .gives(422, ["<html", "has no key"]);
}

/// Line-ups with programs are not offered; the others keep their numbers.
#[test]
fn a_seat_is_offered_only_at_tables_without_programs() {
    let league = "game: holdem\nseed: 1\nformat: {kind: line-ups, size: 2}\nblocks: 2\ndeals: 2\n\
                  entrants: [{name: own, command: [./own]}, call, honest]\n";
    let alone = league.replace(", honest]", "]");
    let folder = folder(&[("a.yaml", league), ("b.yaml", &alone)]);
    let server = Server::start(folder.root(), ".");
    let page = server.get("/league/0/play").body;
    has(&page, "[[],[],[");
    let open = |line_up: u32| {
        let wish = json!({"line_up": line_up, "place": 0, "games": 1});
        server.post("/league/0/play", &wish)
    };
    open(0).gives(400, "line-up 0 has programs");
    assert_eq!(open(2).status, 200);
    has(
        &server.get("/league/1/play").body,
        "own is a program that runs only while a league is played",
    );
}

#[test]
fn pages_and_games_are_served_only_to_this_machine() {
    let folder = folder(&[
        ("a.yaml", LEAGUE),
        ("b.yaml", LEAGUE),
        ("b.sqlite", ""),
        ("note.yaml", "not: a league\n"),
    ]);
    folder.succeeds("run a.yaml --quiet");
    let server = Server::start(folder.root(), ".");
    assert_eq!(server.open, format!("{}/", server.origin()));

    let texts = [
        ">a<",
        ">b<",
        "All 3 blocks have been played.",
        "Nothing has been played yet.",
    ];
    let index = server.get("/").gives(200, texts);
    assert!(!index.body.contains(">note<"), "{}", index.body);
    let page = server.get("/league/0");
    let page = page.gives(200, ["id=\"standings\"", "hattari-replays"]);
    for policy in [
        "content-security-policy: default-src 'none'",
        "nosniff",
        "no-referrer",
        "no-store",
    ] {
        assert!(page.head.contains(policy), "{policy} in {}", page.head);
    }
    has(
        &server.get("/league/1").body,
        "Nothing has been played yet.",
    );
    let missing = server.get("/leagues");
    assert_eq!(
        (missing.status, missing.body.contains("<a href=\"/\">")),
        (404, true)
    );
    assert_eq!(
        (
            server.get("/league/2").status,
            server.get("/table/x/events").status
        ),
        (404, 404)
    );

    // Any game, identical to the one that the command makes.
    let game = server.get("/league/0/game?line_up=0&block=2&game=3").json();
    folder.succeeds("replay a.yaml --block 2 --game 3 --html -o g.html");
    let page = folder.read("g.html");
    let data = page
        .split("id=\"hattari-replays\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"][0], game);
    let none = server.get("/league/0/game?game=4");
    assert_eq!(
        (none.status, none.body.as_str()),
        (
            422,
            "there is no game 4; the games of a block are numbered 0 to 3"
        )
    );

    // Host names of other machines and origins of other sites are rejected for all requests.
    let port = server.address.port();
    for (host, status) in [
        ("evil.example", 421),
        (&format!("evil.example:{port}"), 421),
        (&format!("192.168.0.1:{port}"), 421),
        ("", 421),
        (&format!("localhost:{port}"), 200),
    ] {
        let answer = server.ask("GET", "/", &[("host", host)], "");
        assert_eq!(answer.status, status, "{host}");
    }
    let wish = json!({"line_up": 0, "place": 0}).to_string();
    let post = |headers: &[(&str, &str)]| server.ask("POST", "/league/0/play", headers, &wish);
    for (origin, status) in [
        ("http://evil.example", 403),
        ("null", 403),
        ("https://127.0.0.1", 403),
        ("http://127.0.0.1:1", 403),
        (&server.origin(), 200),
    ] {
        let headers = [("content-type", "application/json"), ("origin", origin)];
        assert_eq!(post(&headers).status, status, "{origin}");
    }
    // A form of another site cannot post JSON, even if a browser sends no origin.
    assert_eq!(post(&[("content-type", "text/plain")]).status, 415);

    let (code, took) = server.end("INT");
    assert_eq!(code, 0);
    assert!(
        took < Duration::from_secs(20),
        "the end took {took:?} with a table open"
    );
}

#[test]
fn other_addresses_require_a_token() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    let server = Server::start(folder.root(), "a.yaml --address 0.0.0.0");
    let (page, token) = server
        .open
        .split_once("?token=")
        .expect("a token is printed");
    assert!(page.ends_with("/league/0") && token.len() == 32);
    for path in [
        "/",
        "/league/0",
        "/?token=",
        "/?token=00000000000000000000000000000000",
    ] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    let moved = server.get(&format!("/league/0?token={token}"));
    assert_eq!(moved.status, 303);
    assert!(moved.head.contains("location: /league/0\r\n") && !moved.body.contains(token));
    let cookie = moved
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie");
    has(cookie, "HttpOnly");
    has(cookie, "SameSite=Strict");
    let cookie = ("cookie", cookie.split(';').next().unwrap());
    let bearer = format!("Bearer {token}");
    let status = |headers: &[(&str, &str)]| server.ask("GET", "/", headers, "").status;
    assert_eq!(status(&[cookie]), 200);
    assert_eq!(status(&[cookie, ("origin", "http://evil.example")]), 403);
    assert_eq!(status(&[("authorization", &bearer)]), 200);
    // A path cannot redirect to another host.
    let elsewhere = server.get(&format!("//evil.example?token={token}"));
    has(&elsewhere.head, "location: /evil.example\r\n");
}

#[test]
fn invalid_serve_arguments_are_refused_with_a_suggested_fix() {
    let folder = folder(&[("a.yaml", LEAGUE)]);
    let server = Server::start(folder.root(), "a.yaml");
    let port = server.address.port();
    let serve = |arguments: &str| folder.hattari(("serve", arguments));
    serve(&format!("a.yaml --port {port}"))
        .code(2)
        .complains(["--port", &format!("port {port} is in use")]);
    serve("a.yaml --address 203.0.113.9")
        .code(2)
        .complains("not an address of this machine");
    serve("b.yaml").code(2).complains("b.yaml");
    serve("a.yaml . --store x.sqlite")
        .code(2)
        .complains("--store is allowed only with a single league");
    fs::create_dir(folder.path("empty")).unwrap();
    serve("empty")
        .code(2)
        .complains("there is no league in empty");
}
