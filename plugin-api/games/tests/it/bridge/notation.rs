//! Tests of bridge notation. PBN is written and read by us and by endplay, an independent
//! implementation; LIN is read.
//!
//! The ignored test calls endplay (PyPI, 0.5) with `python3` or the interpreter in
//! `HATTARI_PYTHON`.

use crate::play::{dealt, pick, seeded};
use crate::python;
use hattari_games::bridge::{
    Auction, Bridge, Call, Card, Contract, Doubling, GameRecord, Options, Seat, Strain, Vulnerable,
    read_lin, read_pbn, write_lin, write_pbn,
};
use hattari_games::{Game, chance::below};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Returns a complete random auction, mostly passes.
fn calls(dealer: Seat, chance: &mut ChaCha8Rng) -> Vec<Call> {
    let mut auction = Auction::new(dealer);
    while !auction.is_over() {
        let number = match below(chance, 10) {
            0..=5 => 0,
            6 => 1,
            7 => 2,
            _ => 3 + below(chance, 35),
        };
        let call = Call::from_number(u8::try_from(number).unwrap()).unwrap();
        // Illegal calls are skipped.
        _ = auction.call(call);
    }
    auction.calls().to_vec()
}

/// Returns a random deal with random calls and the first `cards` cards of a random play.
fn game(number: u32, cards: usize, chance: &mut ChaCha8Rng) -> GameRecord {
    let dealer = Seat::ALL[below(chance, 4) as usize];
    let calls = calls(dealer, chance);
    let tags = vec![
        ("Event".into(), "A \"quoted\" event".into()),
        ("Board".into(), number.to_string()),
    ];
    let vulnerable = [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::Both,
    ][below(chance, 4) as usize];
    let contract = Auction::of(dealer, &calls).unwrap().contract();
    let auction: Vec<String> = if contract.is_some() {
        calls.iter().map(Call::to_string).collect()
    } else {
        vec!["1C P P P".into()]
    };
    let rules = Bridge::new(Options {
        dealer,
        auction: auction.join(" "),
        vulnerable,
        ..Options::preset("random").unwrap()
    })
    .unwrap();
    let (_, mut board) = dealt(&rules, 4, chance);
    let hands = *board.hands();
    let mut play = Vec::new();
    while contract.is_some() && play.len() < cards {
        let legal = rules.legal_actions(&board);
        let action = legal[pick(chance, legal.len())];
        play.push(Card::from_index(action.card).unwrap());
        rules.apply(&mut board, action.into());
    }
    let declarers = contract.map_or(0, |contract| contract.declarer as usize % 2);
    GameRecord {
        tags,
        dealer: Some(dealer),
        vulnerable: Some(vulnerable),
        deal: Some(hattari_games::bridge::Deal { hands }),
        contract,
        passed_out: contract.is_none(),
        result: (contract.is_some() && cards == 52).then(|| board.tricks_won()[declarers]),
        calls,
        play,
    }
}

fn games(count: u32, seed: u64) -> Vec<GameRecord> {
    let mut chance = seeded(seed);
    let cards = |number: u32| {
        if number % 5 == 4 {
            (number % 53) as usize
        } else {
            52
        }
    };
    (0..count)
        .map(|number| game(number, cards(number), &mut chance))
        .collect()
}

/// Removes the mandatory tags that are empty because their values are unknown.
fn known(games: Vec<GameRecord>) -> Vec<GameRecord> {
    let known = |mut game: GameRecord| {
        game.tags.retain(|(_, value)| !value.is_empty());
        game
    };
    games.into_iter().map(known).collect()
}

#[test]
fn writing_and_reading_returns_the_same_value() {
    let games = games(300, 1);
    assert!(
        games.iter().any(|game| game.passed_out)
            && games.iter().any(|game| game.play.len() % 4 == 3)
    );
    assert_eq!(
        known(read_pbn(&write_pbn(&games)).into_all().unwrap()),
        games
    );
}

#[test]
#[ignore = "needs endplay (pip install endplay)"]
fn endplay_reads_written_games_and_writes_the_same_games() {
    let python = python::with("endplay");
    // endplay accepts no quotes within a value, does not support passed-out auctions, and needs a
    // result, which is that of a claim here.
    let mut games = games(900, 2);
    for game in &mut games {
        game.tags[0].1 = "An event".into();
        game.result.get_or_insert(7);
    }
    games.retain(|game| !game.passed_out);
    assert!(500 <= games.len());
    let folder = std::env::temp_dir().join(format!("hattari-endplay-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (from, to) = (folder.join("from.pbn"), folder.join("to.pbn"));
    std::fs::write(&from, write_pbn(&games)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/bridge/replay.py");
    python::run(&python, &script, &[from.as_ref(), to.as_ref()]);
    let back = known(
        read_pbn(&std::fs::read_to_string(&to).unwrap())
            .into_all()
            .unwrap(),
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(back.len(), games.len());
    for (back, game) in back.iter().zip(&games) {
        assert_eq!(back, game);
    }
}

const PBN: &str = r##"% PBN 2.1
% a game as people write it
[Event "Example"]
[Board "7"]
[Dealer "N"]
[Vulnerable "Both"]
[Deal "E:32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54 KT875.AQ87.87.K6"]
[Declarer "W"]
[Contract "3NT"]
[Result "8"]
[Auction "N"] {the calls}
Pass Pass Pass 1NT =1= ; strong
Pass 3NT $1 AP
[Note "1:15-17"]
[Play "N"]
S7 S2 SJ SQ
D7 DA D2 D5
CK CQ C2 C4 {now North is
on lead}
HA - - -
*
[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]
N NT 6

[Event "#"]
[Board "8"]
[Contract "Pass"]
"##;

#[test]
fn handwritten_files_are_parsed() {
    let games = read_pbn(PBN).into_all().unwrap();
    let [first, second] = &games[..] else {
        panic!("{games:?}")
    };
    assert_eq!(
        (first.tag("Event"), first.tag("Board"), second.tag("Event")),
        (Some("Example"), Some("7"), Some("Example"))
    );
    assert_eq!(first.vulnerable, Some(Vulnerable::Both));
    let contract = Contract {
        level: 3,
        strain: Strain::NoTrump,
        doubling: Doubling::Undoubled,
        declarer: Seat::West,
    };
    assert_eq!(
        (first.contract, first.result, first.calls.len()),
        (Some(contract), Some(8), 9)
    );
    assert_eq!(
        first.deal.unwrap().to_string(),
        "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54"
    );
    let play: Vec<String> = first.play.iter().map(Card::to_string).collect();
    assert_eq!(play.join(" "), "S7 S2 SJ SQ D5 D7 DA D2 CQ C2 C4 CK HA");
    assert!(second.passed_out && second.contract.is_none());
}

#[test]
fn errors_name_the_line() {
    let wrong = |text: &str, words: &str| {
        let error = read_pbn(text).into_all().unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    wrong(
        "[Event \"x\"]\n[Dealer \"Q\"]",
        "line 2: Dealer: `Q` is not a seat",
    );
    wrong("[Event x]", "line 1: write a tag as");
    wrong("hello", "line 1: `hello` appears before");
    wrong(
        "[Board \"1\"]\n[Note \"1:a\"]\n[Note \"2:b\"]\n[Board \"2\"]",
        "board 1, line 4: the game already has the tag Board; put an empty line before",
    );
    wrong("[Deal \"N:AK... AQ... - -\"]", "SA is dealt twice");
    wrong(
        "[Dealer \"N\"]\n[Auction \"N\"]\n1H 1D",
        "line 3: call 2: 1D is not higher",
    );
    wrong(
        "[Contract \"8NT\"]\n[Declarer \"N\"]",
        "line 1: Contract: `8NT`",
    );
    wrong("[Result \"14\"]", "0 to 13");
    wrong("[Play \"N\"]\nS7 S2", "the contract is unknown");
    let play = "[Declarer \"W\"]\n[Contract \"3NT\"]\n[Play \"N\"]\n";
    wrong(
        &format!("{play}S7 S2 SJ SQ\nD7 DA D2 -"),
        "line 5: Play: West leads this trick",
    );
    wrong(&format!("{play}S7 S2 SJ ZZ"), "`ZZ` is not a card");
    wrong("[Event \"#\"]", "no earlier game has");
}

#[test]
fn boards_that_were_passed_out_are_read() {
    for contract in ["Pass", "PASS", "Passed out", "AP", "P"] {
        let auctions = [
            "",
            "[Auction \"N\"]\nPass Pass Pass Pass\n",
            "[Auction \"N\"]\nAP\n",
        ];
        for (auction, play) in
            auctions
                .into_iter()
                .zip(["", "[Play \"\"]\n*\n", "[Play \"-\"]\n- - - -\n"])
        {
            let text = format!(
                "[Board \"3\"]\n[Dealer \"N\"]\n[Declarer \"\"]\n[Contract \"{contract}\"]\n{auction}{play}"
            );
            let games = read_pbn(&text).into_all().unwrap();
            assert!(
                games[0].passed_out && games[0].contract.is_none() && games[0].play.is_empty(),
                "{text}"
            );
        }
    }
}

#[test]
fn stars_mark_doubled_contracts_and_alerted_calls() {
    let contract = |text: &str| {
        let pbn = format!("[Declarer \"N\"]\n[Contract \"{text}\"]\n");
        let contract = read_pbn(&pbn).into_all().unwrap()[0].contract.unwrap();
        (contract.level, contract.doubling)
    };
    assert_eq!(contract("4C*"), (4, Doubling::Doubled));
    assert_eq!(contract("4C**"), (4, Doubling::Redoubled));
    assert_eq!(contract("3NTXX"), (3, Doubling::Redoubled));
    assert_eq!(contract("2H x"), (2, Doubling::Doubled));
    let calls = "[Dealer \"N\"]\n[Auction \"N\"]\n1NT! Pass 4C* Pass\n4S X* ! Pass Pass\nPass\n";
    let calls = &read_pbn(calls).into_all().unwrap()[0].calls;
    let calls: Vec<String> = calls.iter().map(Call::to_string).collect();
    assert_eq!(calls.join(" "), "1NT Pass 4C Pass 4S X Pass Pass Pass");
}

#[test]
fn results_are_read_for_either_side() {
    let result = |text: &str| {
        let pbn = format!("[Result \"{text}\"]\n[Declarer \"E\"]\n[Contract \"3NT\"]\n");
        read_pbn(&pbn).into_all().map(|games| games[0].result)
    };
    for (text, tricks) in [
        ("9", 9),
        ("^9", 9),
        ("EW 9", 9),
        ("NS 4", 9),
        ("NS 4 EW 9", 9),
        ("EW 9 NS 4", 9),
    ] {
        assert_eq!(result(text), Ok(Some(tricks)), "{text}");
    }
    for text in ["14", "C-2", "NS 5 EW 9", "EW", "XY 9"] {
        assert!(
            result(text)
                .unwrap_err()
                .contains("line 1: Result: write the number of tricks"),
            "{text}"
        );
    }
}

#[test]
fn an_unreadable_board_is_refused_and_the_others_are_read() {
    let good = "[Event \"e\"]\n[Board \"1\"]\n[Dealer \"N\"]\n";
    let text = format!(
        "\u{feff}{good}\n[Board \"2\"]\n[Dealer \"Q\"]\n\n[Dealer E]\n[Board \"9\"]\n\nnonsense\n\n[Site \"#\"]\n[Board \"4\"]\n\n{good}"
    );
    let games = read_pbn(&text);
    let refused: Vec<String> = games.refused.iter().map(ToString::to_string).collect();
    assert_eq!(
        refused,
        [
            "board 2, line 6: Dealer: `Q` is not a seat; write N, E, S or W",
            "board 9, line 8: write a tag as [Name \"value\"] on one line",
            "game 4, line 11: `nonsense` appears before the first tag of a game",
            "board 4, line 13: `#` repeats the tag of an earlier game, but no earlier game has \
             the tag Site",
        ]
    );
    assert_eq!(games.read.len(), 2);
    let lin = "qx|o1|md|1S2,H2|sv|o|qx|o2|md|5S2|mb|p|qx|o3|md|1S2,H2|mb|9N|mb|p|qx|o4|md|1S2,H2|sv|n|mb|";
    let games = read_lin(lin);
    let boards = games.refused.iter().map(|text| text.split(',').next());
    let boards: Vec<&str> = boards.flatten().collect();
    assert_eq!(
        (games.read.len(), boards.join(" ").as_str()),
        (1, "board 2 board 3 board 4")
    );
}

#[test]
fn written_lin_reads_back_as_the_same_games() {
    let known = |mut game: GameRecord| {
        // LIN contains only the tags for board and names.
        game.tags.retain(|(name, _)| name == "Board");
        game.tags.push(("South".into(), "one".into()));
        game.tags.push(("East".into(), "two".into()));
        // An unfinished auction has no contract.
        game
    };
    let games: Vec<GameRecord> = games(300, 3).into_iter().map(known).collect();
    assert_eq!(read_lin(&write_lin(&games)).into_all().unwrap(), games);
}

const LIN: &str = "pn|south,west,north,east|st||md|1SJ94HK432D9432C32,SAQ6HJ65DKJ65CA54,SKT875HAQ87D87CK6,|rh||\
    ah|Board 5|sv|n|mb|p|mb|1N!|an|15-17|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||\npc|S7|pc|S2|pc|SJ|pc|sq|pg||\nmc|8|pg||\n\
    qx|o6|md|3S23456789TJQKA,H23456789TJQKA,D23456789TJQKA|sv|o|mb|p|mb|p|mb|p|mb|p|\n";

#[test]
fn lin_files_are_parsed() {
    let games = read_lin(LIN).into_all().unwrap();
    let [first, second] = &games[..] else {
        panic!("{games:?}")
    };
    assert_eq!(
        ["Board", "West", "East"].map(|name| first.tag(name)),
        [Some("5"), Some("west"), Some("east")]
    );
    assert_eq!(
        first.deal.unwrap().to_string(),
        "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54",
        "the fourth hand is what is left"
    );
    let contract = first.contract.unwrap();
    assert_eq!(
        (
            contract.to_string().as_str(),
            contract.declarer,
            first.dealer
        ),
        ("3NT", Seat::West, Some(Seat::South))
    );
    assert_eq!(
        (first.vulnerable, first.result, first.play.len()),
        (Some(Vulnerable::NorthSouth), Some(8), 4)
    );
    assert_eq!(
        (second.tag("Board"), second.passed_out, second.contract),
        (Some("6"), true, None)
    );
    assert_eq!(
        second.deal.unwrap().hands[Seat::East as usize].lengths(),
        [0, 0, 0, 13]
    );
    assert_eq!(
        read_pbn(&write_pbn(&games)).into_all().unwrap()[0].play,
        first.play
    );
    // Values may continue on the next line, and a value at the end of a line needs no bar.
    let wrapped = LIN
        .replace(",SKT", ",\nSKT")
        .replace("15-17", "15-\n\n17")
        .replace("mb|3N|", "mb|3N\n")
        .replace("pg||\n", "nt|two\r\nlines|pg||\n");
    assert_eq!(read_lin(&wrapped).into_all().unwrap(), games);
    // A match has two rooms, each with four names.
    let deal = "md|3S23456789TJQKA,H23456789TJQKA,D23456789TJQKA|";
    let rooms = read_lin(&format!("pn|a,b,c,d,e,f,g,h|qx|o1|{deal}qx|c1|{deal}"));
    let rooms = rooms.into_all().unwrap();
    let south: Vec<_> = rooms.iter().map(|game| game.tag("South")).collect();
    assert_eq!(south, [Some("a"), Some("e")]);
    for (text, words) in [
        ("sv|o|", "sv: this field must come after the deal"),
        ("md|5S2|", "does not begin with the dealer"),
        ("md|1SX,|", "must be a rank that follows a suit"),
        ("md|1S2,S2|", "dealt twice"),
        ("md|1S2,H2|mb|9N|", "not a call"),
    ] {
        let error = read_lin(text).into_all().unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
}
