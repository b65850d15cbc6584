//! Hold'em end to end: a league with bots of every kind, its report, replays, and hand histories
//! that are written and read.

use crate::support::{Folder, JsonPart, has};

const LEAGUE: &str = "game: holdem
seed: 7
options: {raises_max: 4}
entrants:
  - {name: honest, bot: honest, config: {samples: 50}}
  - {name: bluff, bot: small-bluff, config: {samples: 50, bluff: 0.1}}
  - {name: reader, bot: exploiter, config: {samples: 20, boards: 5}}
  - random
format: {kind: line-ups, size: 2}
blocks: 2
deals: 4
duplicate: true
";

#[test]
fn winnings_of_a_league_are_reported_in_big_blinds() {
    let folder = Folder::of(LEAGUE);
    let told = folder.succeeds("run x.yaml --quiet");
    told.says([
        "Winnings",
        "big blinds / 100",
        "mbb / deal",
        "One big blind is 100 chips",
    ]);
    folder.succeeds("report x.yaml").says("Winnings");
    folder
        .succeeds("replay x.yaml --line-up honest,random --game 3")
        .says([
            "holdem/1, x.yaml: line-up 2, block 0, game 3 of 8",
            "preflop",
            "button: ",
            "payoffs: ",
            "the replayed block equals the stored record",
        ]);
    folder
        .succeeds("show bots --game holdem")
        .says(["exploiter", "small-bluff-published"]);
}

#[test]
fn six_seats_rotate_and_stacks_are_carried_over() {
    let text = "game: holdem
preset: serial
seed: 1
entrants: [random, call, fold, {name: honest, bot: honest, config: {samples: 20}}, {name: other, bot: random}, {name: last, bot: call}]
format: {kind: line-ups, size: 6}
blocks: 2
deals: 20
";
    let folder = Folder::of(&format!("{text}duplicate: true\n"));
    folder.succeeds("run x.yaml --quiet --no-report");
    // 20 deals with six rotations. Players without chips get new ones, so no block ends early.
    assert_eq!(folder.records("x.yaml")[0].deals, 120);
    // Without rebuys a block ends with the first player without chips.
    let bust = text.replace("seed: 1", "seed: 1\noptions: {rebuy: 0, stack: 20}");
    let folder = Folder::of(&bust);
    let first = &folder.play("x.yaml")[0];
    assert!(first.deals < 20, "{first:?}");
}

#[test]
fn hands_are_exported_and_imported() {
    let folder = Folder::of(LEAGUE);
    folder.succeeds("run x.yaml --quiet --no-report");
    folder
        .succeeds("export phh x.yaml -o all.phhs")
        .complains("all.phhs: 96 hands");
    let text = folder.read("all.phhs");
    for field in [
        "[96]\n",
        "variant = 'NT'",
        "_seed = 7\n",
        "_league = 'x'\n",
        "_block = 1\n",
        "players = ['",
    ] {
        has(&text, field);
    }
    let told = folder.succeeds("import phh all.phhs --scores scores.csv");
    told.says(["96 hands, ", ", 0 differences"]);
    // The scores are those of the league.
    let league = folder.report("x.yaml");
    let scores = folder.report("scores.csv");
    let mean = |of: &serde_json::Value, name| of["bots"].item("name", name)["mean"].float();
    for name in ["honest", "bluff", "reader", "random"] {
        assert!(
            (mean(&league, name) - mean(&scores, name)).abs() < 1e-9,
            "{name}"
        );
    }
    // A single hand is a document of its own, equal to that among the others.
    let one = folder
        .succeeds("export phh x.yaml --line-up 0 --block 0 --game 5")
        .out;
    assert!(
        one.starts_with("variant = 'NT'\n") && one.contains("_deal = 5\n") && text.contains(&one)
    );
    folder.write("one.phh", &one);
    folder.succeeds("import phh one.phh").says("1 hand, ");
}

/// Games that are not in the store are never exported without a word.
#[test]
fn exports_say_which_games_the_store_does_not_contain() {
    let folder = Folder::of(LEAGUE);
    folder
        .succeeds("export phh x.yaml -o new.phhs")
        .complains("played for the export, because the store does not contain them: 12 blocks");
    folder.succeeds("run x.yaml --quiet --no-report");
    folder
        .succeeds("export phh x.yaml -o old.phhs")
        .never_says("played for the export");
    assert_eq!(folder.read("new.phhs"), folder.read("old.phhs"));
    folder.edit("x.yaml", "seed: 7", "seed: 8");
    for command in ["export phh x.yaml", "export phh x.yaml --store x.sqlite"] {
        folder.refuses(
            command,
            [
                "the store belongs to another league: seed: 8 in",
                "name it instead of the league: x.sqlite",
            ],
        );
    }
    folder.write("other.yaml", LEAGUE);
    folder
        .succeeds("export phh other.yaml --store x.sqlite")
        .never_says("played for the export");
    folder.refuses(
        "export phh other.yaml --line-up 99",
        "there is no line-up 99",
    );
}

#[test]
fn damaged_hands_are_reported() {
    let folder = Folder::of(LEAGUE);
    let one = folder
        .succeeds("export phh x.yaml --line-up 0 --block 0 --game 5")
        .out;
    let import = |text: &str| {
        folder.write("one.phh", text);
        folder.hattari("import phh one.phh")
    };
    for (from, to, says) in [
        (
            "finishing_stacks = [",
            "finishing_stacks = [1",
            "hand 1: the replayed hand gives the stacks",
        ),
        (
            "variant = 'NT'",
            "variant = 'PO'",
            "`PO` is not supported; supported variants: NT, FT, F7S",
        ),
        ("'p2 ", "'p1 ", "hand 1: action "),
        ("'p2 ", "'p77 ", "hand 1: action "),
        (&one, "variant = ", "not TOML"),
    ] {
        import(&one.replace(from, to)).code(1).says(says);
    }
    import("").code(2).complains("the file contains no hands");
    folder.refuses("import phh none.phh", "none.phh");
    folder.refuses("export phh x.yaml --block 9", "there is no block 9");
    folder.write("d.yaml", "game: daihinmin\nentrants: [base, plain, single, pair, all]\nformat: {kind: line-ups, size: 5}\nblocks: 1\n");
    folder.refuses("export phh d.yaml", "the PHH format supports poker only");
    folder.write(
        "p.yaml",
        LEAGUE.replace("{raises_max: 4}", "{limit: pot-limit}"),
    );
    folder.refuses("export phh p.yaml", "no code for pot-limit hold'em");
}

/// Hands of other programs: larger stacks, fractions, straddles, antes of the big blind, and
/// discarded hands.
#[test]
fn hands_of_other_programs_are_imported() {
    let folder = Folder::of(LEAGUE);
    let import = |text: &str, arguments: &[&str]| {
        folder.write("wild.phhs", text);
        folder.hattari(("import phh wild.phhs", arguments))
    };
    let fixed = |actions: &str| {
        format!(
            "variant = 'FT'\nantes = [0, 0, 0]\nblinds_or_straddles = [5, 10, 0]\nsmall_bet = 10\nbig_bet = 20\n\
             starting_stacks = [500, 500, 28]\nactions = ['d dh p1 9h8h', 'd dh p2 2c2d', 'd dh p3 AsKs', {actions}]\n"
        )
    };
    // An all-in of 8 with a bet size of 10 counts as a whole bet, and a player who has checked may
    // raise. An all-in of 4 does not.
    let raised = fixed(
        "'p3 cbr 20', 'p1 cc', 'p2 cc', 'd db 2h3d4c', 'p1 cc', 'p2 cc', 'p3 cbr 8', 'p1 cbr 18', 'p2 f', 'd db 5c', 'd db 6c'",
    );
    import(&raised, &[])
        .code(0)
        .says("1 hand, 8 decisions, 0 differences");
    import(&raised, &["--options", "{\"half_bet_counts\": false}"])
        .code(1)
        .says(
            "wild.phhs:1: hand 1: action 11 `p1 cbr 18`: this action is not legal; legal \
             actions: f, cc",
        );
    import(
        &raised
            .replace("500, 28", "500, 24")
            .replace("cbr 8", "cbr 4")
            .replace("cbr 18", "cbr 14"),
        &[],
    )
    .code(1)
    .says("this action is not legal; legal actions: f, cc");
    import(&raised, &["--options", "[]"])
        .code(2)
        .complains("must be a JSON object");
    import(&raised, &["--options", "{\"half_bets\": 1}"])
        .code(1)
        .says("unknown field `half_bets`");
    // Larger stacks and blinds than the presets, cents, and a discarded hand. One hand belongs to
    // another game, and one is not a hand.
    let hand = |head: &str, actions: &str, more: &str| {
        format!(
            "variant = 'NT'\n{head}\nactions = [{actions}]\nplayers = ['a', 'b', 'c']\n{more}\n"
        )
    };
    let holes = "'d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????'";
    let big = "antes = [0, 0, 0]\nblinds_or_straddles = [50010, 100020, 0]\nmin_bet = 100020\n\
               starting_stacks = [29500000000, 410000000, 147500000]";
    let cents = "antes = [0, 0.25, 0]\nblinds_or_straddles = [0.5, 1, 2]\nmin_bet = 1\nstarting_stacks = [100, 55.55, 80.10]";
    let board =
        "'d db 2h3d4c', 'p1 cc', 'p3 cc', 'd db 9c', 'p1 cc', 'p3 cc', 'd db Td', 'p1 cc', 'p3 cc'";
    let straddled = format!("{holes}, 'p1 cc', 'p2 f', 'p3 cc', {board}");
    let hands = [
        format!(
            "[1]\n{}",
            hand(big, &format!("{holes}, 'p3 f', 'p1 f'"), "")
        ),
        format!(
            "[2]\n{}",
            hand(
                cents,
                &format!("{straddled}, 'p1 sm AcAd', 'p3 sm ????'"),
                ""
            )
        ),
        "[3]\nvariant = 'PO'\n".into(),
        "[4]\nvariant = \n".into(),
        format!("[7]\n{}", hand(cents, &straddled, "")),
        format!(
            "[8]\n{}",
            hand(
                cents,
                &format!("{straddled}, 'p1 sm Ac2c', 'p3 sm Ad2d'"),
                "finishing_stacks = [100.62, 54.3, 80.73]"
            )
        ),
        format!(
            "[9]\n{}",
            hand(
                cents,
                &format!("{straddled}, 'p1 sm Ac2c', 'p3 sm Ad2d'"),
                "finishing_stacks = [100.6, 54.3, 80.75]"
            )
        ),
    ];
    let told = import(&hands.join("\n"), &["--scores", "scores.csv"]).code(1);
    for says in [
        "wild.phhs:21: hand 3: field `variant`: `PO` is not supported; supported variants: NT, \
         FT, F7S",
        "wild.phhs:24: hand 4: not TOML: line 25: ",
        "hand 7: cards that decide the hand are unknown",
        "hand 9: the replayed hand gives the stacks [100.63, 54.3, 80.72], but the file says [100.6, 54.3, 80.75]",
        "refused (unsupported game): 1 hand\n",
        "refused (unknown or wrong cards): 1 hand\n",
        "refused (invalid TOML): 1 hand\n",
        "7 hands, ",
        " 3 refused, 1 difference\n",
    ] {
        has(&told.out, says);
    }
    let scores = folder.read("scores.csv");
    assert_eq!(
        scores.lines().take(3).collect::<Vec<_>>(),
        [
            "block,a,b,c",
            "hand 1,-50010,50010,0",
            "hand 2,3.25,-1.25,-2",
        ]
    );
    let json = import(&hands.join("\n"), &["--json", "--max", "1"])
        .code(1)
        .json();
    assert_eq!(json["refused"]["not TOML"], 1);
    assert_eq!(json["difference_count"], 1);
    assert_eq!(json["differences"][0]["line"], 21);
    // A byte order mark, a first hand without header, additional fields, and a wrong header.
    let first = hand(
        big,
        &format!("{holes}, 'p3 f', 'p1 f'"),
        "[_notes]\nx = 1\n[[_more]]\ny = [\n['Kd']\n]",
    );
    let told = import(&format!("\u{feff}{first}[hand2]\n{first}"), &[]).code(1);
    told.says([
        "hand 2: not TOML: line ",
        "`[hand2]` is not the number of a hand, as in `[2]`",
        "2 hands, 2 decisions, 1 refused, 0 differences\n",
    ]);
}
