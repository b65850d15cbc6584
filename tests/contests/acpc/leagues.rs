//! Whole ACPC leagues through the program: started and connecting clients together with bots of
//! every kind, logs and game definitions.

use super::client::{Client, simple, simple_action, table};
use crate::place::{self, check_killed_and_resumed};
use crate::support::{Folder, PROGRAM, Port, no_faults};
use std::hash::{BuildHasher, RandomState};

/// A bot with varied play that depends only on visible cards and chips. It plays the same in every
/// seat and through every protocol.
const WILD: &str = "return {
  act = function(view, legal)
    local n = view.to_call + 3 * view.pot + 7 * view.raises + SHIFT
    for _, cards in { view.hand, view.community } do
      for i, card in cards do n += i * (string.byte(card, 1) + 5 * string.byte(card, 2)) end
    end
    local i = n % #legal + 1
    if legal[i].kind == 'fold' and n % 3 ~= 0 then i = #legal end
    local action = legal[i]
    if action.kind ~= 'raise' then return i end
    local amount = math.clamp(action.lowest + n % 5 * view.big_blind, action.lowest, action.highest)
    return i, if n % 13 == 0 then action.highest else amount
  end,
}
";

/// Returns a folder with scripts in which clients may be started.
fn folder() -> Folder {
    let folder = Folder::new().trusting();
    for (name, shift) in [("one", "0"), ("two", "1"), ("three", "2")] {
        folder.write(&format!("{name}.lua"), WILD.replace("SHIFT", shift));
    }
    folder
}

fn league(folder: &Folder, name: &str, size: usize, entrants: &str, more: &str) {
    let rules = format!("game: holdem\nformat: {{kind: line-ups, size: {size}}}\n{more}");
    place::league(folder, name, &rules, entrants);
}

fn script(name: &str) -> String {
    format!("{{name: {name}, bot: {name}.lua}}")
}

/// Returns an entrant whose client is our own program with one of our bots.
fn joining(name: &str, bot: &str, more: &str) -> String {
    format!(
        "{{name: {name}, kind: acpc, command: [\"{PROGRAM}\", join, acpc, \"{{host}}:{{port}}\", --bot, {bot}, --hands, 12, --quiet{more}]}}"
    )
}

#[test]
fn socket_clients_give_the_same_records_as_local_bots() {
    let folder = folder();
    let names = ["one", "two", "three"];
    for (size, rules, more) in [
        (2, "preset: acpc", ""),
        (3, "preset: acpc-limit", ", --preset, acpc-limit"),
        // Small stacks, so that most hands end all in.
        (3, "preset: acpc\noptions: {stack: 700}", ", --game, d.game"),
    ] {
        let rules = format!("{rules}\nblocks: 2\ndeals: 12\nduplicate: true");
        league(
            &folder,
            "here.yaml",
            size,
            &names.map(script).join(", "),
            &rules,
        );
        folder.succeeds("run here.yaml --no-report --restart");
        let here = folder.records("here.sqlite");
        no_faults(&here);
        let written = folder.succeeds("export acpc-game here.yaml -o d.game");
        written.never_says("error");
        let there = names.map(|name| joining(name, &format!("{name}.lua"), more));
        league(&folder, "there.yaml", size, &there.join(", "), &rules);
        folder.succeeds("run there.yaml --no-report --restart --jobs 2");
        assert_eq!(folder.records("there.sqlite"), here);
        let mixed = [script("one"), there[1].clone(), script("three")].join(", ");
        league(&folder, "mixed.yaml", size, &mixed, &rules);
        folder.succeeds("run mixed.yaml --no-report --restart");
        assert_eq!(folder.records("mixed.sqlite"), here);
        // The logs are the same, and agree with the rules.
        for league in ["here", "mixed"] {
            let (yaml, log) = (format!("{league}.yaml"), format!("{league}.log"));
            folder
                .succeeds(format!("export acpc {yaml} -o {log}"))
                .complains(" hands");
            let told = folder.succeeds(format!("import acpc {log} --game d.game"));
            told.says(" 0 differences");
        }
        let log = |name: &str| folder.read(name).replace("mixed", "here");
        assert_eq!(log("here.log"), log("mixed.log"));
        assert!(log("here.log").contains("\nSTATE:23:") && log("here.log").contains("\nSCORE:"));
    }
}

#[test]
fn logs_that_differ_from_their_replay_are_reported() {
    let folder = folder();
    league(
        &folder,
        "l.yaml",
        2,
        "{name: 'o n:e', bot: one.lua}, {name: two, bot: two.lua}",
        "preset: acpc\nblocks: 1\ndeals: 6",
    );
    let game = folder.succeeds("export acpc-game l.yaml").out;
    folder.write("d.game", game);
    let log = folder.succeeds("export acpc l.yaml").out;
    assert!(
        log.starts_with("# name/game/hands/seed l, line-up 0, block 0 holdem 6 5\nSTATE:0:"),
        "{log}"
    );
    assert!(log.lines().last().unwrap().ends_with(":o_n_e|two"), "{log}");
    let import = |log: &str| {
        folder.write("x.log", log);
        folder.hattari("import acpc x.log --game d.game")
    };
    import(&log).code(0).says(["6 hands, ", ", 0 differences"]);
    let hand = "STATE:0:r300f:9s8h|AcAd:-100|100:a|b\n";
    for (log, code, says) in [
        // As written by the competition's programs, including fractions of split pots.
        (
            "STATE:0:r300c/cc/cc/cc:2s2h|2c2d/AsKsQs/Js/Ts:0.000000|0.000000:a|b\nSCORE:0|0:a|b\n",
            0,
            "1 hand, 8 decisions, 0 differences",
        ),
        (hand, 0, "0 differences"),
        (
            "STATE:0:r300f:9s8h|AcAd:100|-100:a|b\n",
            1,
            "x.log:1: the replayed hand gives the chips [-100, 100], but the line says 100|-100",
        ),
        (
            "STATE:0:r300:9s8h|AcAd:-100|100:a|b\n",
            1,
            "the line ends before the action of position 0",
        ),
        (
            "STATE:0:r150f:9s8h|AcAd:-100|100:a|b\n",
            1,
            "`r150` is not legal",
        ),
        (
            &format!("{hand}SCORE:100|-100:a|b\n"),
            1,
            "x.log:2: the line says a 100, b -100, but the hands add up to a -100, b 100",
        ),
        // A line that cannot be a hand or a total is not ignored, and it does not make the total
        // of its match wrong.
        (
            &format!("\u{feff}{hand}# remark\n\n state:1\nSCORE:-200|200:a|b\n"),
            1,
            "x.log:4: the line begins neither with STATE: nor with SCORE:\n1 hand, 2 decisions, 1 \
             difference\n",
        ),
        // An unknown hand is not replaced by arbitrary cards.
        (
            "STATE:0:r300c/cc/cc/cc:9s8h|/2h3h4h/As/Ah:-300|300:a|b\n",
            1,
            "x.log:1: cards that decide the hand are unknown",
        ),
        // A value that is not a number does not agree.
        (
            "STATE:0:r300f:9s8h|AcAd:nan|NaN:a|b\n",
            1,
            "x.log:1: the value `nan` is not a number",
        ),
        (
            "STATE:0:r300f:9s8h|AcAd:-inf|1e999:a|b\n",
            1,
            "x.log:1: the value `-inf` is not a number",
        ),
        (
            &format!("{hand}SCORE:nan|nan:a|b\n"),
            1,
            "x.log:2: the total `nan` is not a number",
        ),
        (
            &format!("{hand}SCORE:-100|100|7:a|b\n"),
            1,
            "x.log:2: the line has 3 totals but 2 names",
        ),
    ] {
        import(log).code(code).says(says);
    }
    std::fs::File::create(folder.path("huge.log"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let huge = folder.hattari("import acpc huge.log --game d.game");
    huge.code(2)
        .complains("huge.log: it has 1,099,511,627,776 bytes; at most 1,073,741,824 are allowed");
    import("nothing\n")
        .code(2)
        .complains("the file contains no hands");
    folder.write("bad.game", "GAMEDEF\nnolimit\nnumPlayers = two\n");
    folder.refuses(
        "import acpc x.log --game bad.game",
        "bad.game:3: numPlayers: `two`",
    );
    // A single hand.
    let one = folder.succeeds("export acpc l.yaml --block 0 --game 2").out;
    assert!(one.starts_with("STATE:2:") && one.lines().count() == 1 && log.contains(&one));
    for (game, options, says) in [
        ("holdem", "options: {limit: pot-limit}", "but not pot limit"),
        ("holdem", "options: {ante: 5}", "no ante"),
        ("holdem", "preset: serial", "`carry` is true"),
    ] {
        let text = format!(
            "game: {game}\n{options}\nentrants: [call, random]\nformat: {{kind: line-ups, size: 2}}\nblocks: 1\n"
        );
        folder.write("p.yaml", &text);
        folder.refuses("export acpc p.yaml", says);
        folder.refuses("export acpc-game p.yaml", says);
        // Clients cannot play such a league either.
        let text = text.replace("call,", "{name: me, kind: acpc, command: [./me]},");
        folder.write("p.yaml", text);
        folder.refuses("run p.yaml", ["`me` does not support these options", says]);
    }
}

/// Runs clients of the test that connect to a port until they are stopped. Returns the result of
/// each match.
fn comers<T, M: Send>(
    port: &Port,
    play: fn(Client) -> M,
    during: impl FnOnce() -> T,
) -> (T, Vec<M>) {
    let play = |address| Client::come(address, "VERSION:2.0.0\r\n").map(play);
    place::comers(port, play, during)
}

/// Plays a match with folds at random times. Returns the betting of every hand.
fn moody(mut client: Client) -> Vec<String> {
    let mut hands = Vec::new();
    while let Ok(Some(state)) = client.state() {
        let parts: Vec<&str> = state.split(':').collect();
        let table = table(parts[3]);
        if table.to_act.is_none() {
            hands.push(parts[3].to_owned());
        } else if table.to_act == parts[1].parse().ok() {
            let may_fold = table.spent[0] != table.spent[1];
            let folds = may_fold && RandomState::new().hash_one(0).is_multiple_of(4);
            let action = if folds {
                "f".to_owned()
            } else {
                simple_action(&state, &table)
            };
            client.say(&format!("{state}:{action}\r\n")).unwrap();
        }
    }
    hands
}

#[test]
fn hands_of_a_disconnected_client_are_exported_as_played() {
    let folder = folder();
    let port = Port::free();
    let one = script("one");
    let entrants = format!("{{name: comer, kind: acpc, listen: {port}}}, {one}");
    league(
        &folder,
        "x.yaml",
        2,
        &entrants,
        "preset: acpc\nblocks: 3\ndeals: 15\nduplicate: true",
    );
    let (_, matches) = comers(&port, moody, || folder.succeeds("run x.yaml --no-report"));
    let played: Vec<Vec<String>> = matches
        .into_iter()
        .filter(|hands| !hands.is_empty())
        .collect();
    // One match for each seating of a block.
    assert!(
        played.len() == 6 && played.iter().all(|hands| hands.len() == 15),
        "{played:?}"
    );
    let log = folder
        .succeeds("export acpc x.yaml")
        .never_says("differs from the stored record")
        .out;
    let betting = |line: &str| line.split(':').nth(2).unwrap().to_owned();
    let told: Vec<String> = log
        .lines()
        .filter(|line| line.starts_with("STATE:"))
        .map(betting)
        .collect();
    assert_eq!(told, played.concat());
    let one = folder
        .succeeds("replay x.yaml --block 2 --game 20 --json")
        .json();
    assert_eq!(one["store"]["comparison"], "same");
    assert_eq!(one["is_recorded"], true);
    folder
        .succeeds("export phh x.yaml --block 1 -o x.phhs")
        .complains("30 hands");
    folder.succeeds("export acpc-game x.yaml -o d.game");
    folder.write("x.log", log);
    folder
        .succeeds("import acpc x.log --game d.game")
        .says(" 0 differences");
}

#[test]
fn a_mixed_league_can_be_killed_resumed_and_reported() {
    let folder = folder();
    let pairs = folder.library("bots/c/pairs.c", "pairs", &["-O2"]);
    let port = Port::free();
    let entrants = format!(
        "{{name: comer, kind: acpc, listen: {port}}}, {}, {{name: plugin, bot: {}}}, \
         {{name: honest, bot: honest, config: {{samples: 20}}}}, random",
        script("one"),
        pairs.display()
    );
    league(
        &folder,
        "x.yaml",
        2,
        &entrants,
        "preset: acpc\nblocks: 6\ndeals: 20",
    );
    comers(
        &port,
        |client| drop(client.play(&mut simple)),
        || {
            let names = ["comer", "one", "plugin", "honest", "random"];
            check_killed_and_resumed(&folder, names, 200);
        },
    );
}

#[test]
fn setup_errors_of_clients_are_explained() {
    let folder = folder();
    let run = |entrants: &str| {
        let rules = "preset: acpc\nblocks: 1";
        league(&folder, "x.yaml", 2, &format!("{entrants}, call"), rules);
        folder.hattari("run x.yaml --no-report").code(2)
    };
    run("{name: me, kind: acpc}, {name: you, kind: acpc}").complains([
        "clients of `you` and of `me` in line 6 connect to the same address",
        "do not send their names",
    ]);
    run("{name: me, kind: acpc}, {name: you, kind: uecda, listen: 18791}")
        .complains("with another protocol");
    folder.write(
        "x.yaml",
        "game: stud\nformat: {kind: line-ups, size: 2}\nblocks: 1\nentrants: [{name: me, kind: acpc}, call]\n",
    );
    folder.refuses("run x.yaml", "clients of kind `acpc` do not play stud");
}
