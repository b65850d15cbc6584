//! A league that changes: bots are edited, added and removed, and blocks are added, in any order.
//! Only missing blocks are played. The result is that of a league that had this form from the
//! start.

use crate::support::{Folder, JsonPart, has, killed_again_and_again, library, shell};
use hattari_agents::record::JobId;

/// Returns a Lua bot that takes the legal action at this percentage of the list.
fn script(share: u32) -> String {
    format!(
        "return {{ act = function(_, legal) return math.max(1, #legal * {share} // 100) end }}\n"
    )
}

/// Writes a league of these built-in bots and of `mine`, a script.
fn write(folder: &Folder, bots: &str, share: u32, blocks: u32) {
    folder.write("mine.lua", script(share));
    folder.write(
        "x.yaml",
        format!(
            "game: daihinmin\nseed: 8\nentrants: [{bots}, {{name: mine, bot: mine.lua}}]\n\
             format: {{kind: line-ups, size: 5}}\nblocks: {blocks}\ndeals: 3\n"
        ),
    );
}

/// The counts of each change are tested with mock bots in `arena/play/src/store/tests.rs`.
#[test]
fn only_missing_blocks_are_played_after_a_change() {
    let folder = Folder::new();
    let six = "all, all-k, base, client, default";
    for (bots, share, blocks, missing) in [
        (six, 50, 2, 12),
        // Five of six line-ups have the edited bot.
        (six, 60, 2, 10),
        ("random, default, base, all-k, all", 60, 3, 16),
        // Everything is back in its first form.
        (six, 50, 2, 0),
    ] {
        write(&folder, bots, share, blocks);
        let dry = folder.succeeds("run x.yaml --dry-run");
        dry.says(&format!("to play   {missing} block"));
        let run = folder.run("x.sqlite", "--json").json();
        assert_eq!(run["played"], missing, "{bots} {share}");
        let alone = folder.run("alone.sqlite", "--json --restart");
        assert_eq!(run["digest"], alone.json()["digest"], "{bots} {share}");
    }
    let store = folder.succeeds("store list x.sqlite --json").json();
    let aside = store["aside"].list().iter();
    let aside: u64 = aside.map(|aside| aside["blocks"].natural()).sum();
    assert_eq!(aside, 12 + 10 + 16 - 12, "nothing was thrown away");
    let versions = "report x.sqlite --versions mine";
    let text = folder.succeeds(versions);
    text.says(["version 1", "version 2"])
        .never_says("single deals");
    // A block has three deals, whose scores are not compared.
    let versions = folder.succeeds((versions, "--format json")).json();
    let pair = &versions["pairs"][0];
    assert!(pair["design_effect"].is_null(), "{pair}");
    assert!(pair["line_ups"][0]["by_deal"]["tested"].is_null(), "{pair}");
    for bot in versions["bots"].list() {
        assert_eq!(bot["deals"].natural(), 3 * bot["blocks"].natural(), "{bot}");
    }
    let page = "report x.sqlite --versions mine --html";
    folder.refuses(page, "--html needs --output FILE");
    folder.succeeds((page, "--output versions.html"));
    folder.refuses(
        "report x.sqlite --versions nobody",
        "no entrant `nobody` has played",
    );
    folder
        .succeeds("store prune x.sqlite")
        .complains(&format!("{aside} blocks deleted"));
    assert_eq!(folder.printed("x.sqlite"), folder.printed("alone.sqlite"));
    // A changed file may ask for blocks that the last run did not use.
    let text = folder.read("x.yaml");
    folder.write("x.yaml", text.replace("seed: ", "seed: 1"));
    folder.refuses(
        "store prune x.yaml",
        "the league file has changed since the last run (seed:",
    );
    folder.write("x.yaml", text.replace("\nblocks: ", "\nblocks: 1"));
    folder.refuses("store prune x.yaml", "as played, 1");
    assert_eq!(folder.printed("x.sqlite"), folder.printed("alone.sqlite"));
}

/// Repeated deals are no new observations, and results that decide how many blocks are played make
/// the tests invalid.
#[test]
fn versions_are_compared_by_deal_and_not_after_a_stopping_rule() {
    // Twelve different deals, given twice.
    let deal = |number: usize| {
        let mut cards = [1, 4, 5, 8, 9, 2, 3, 6, 7, 10];
        cards.swap(number % 5, 5 + number / 5);
        let [a, b, c, d, e, other @ ..] = cards;
        let [f, g, h, i, j] = other;
        format!("{a} {b} {c} {d} {e} / {f} {g} {h} {i} {j}")
    };
    let deals = (0..24).map(|number| deal(number % 12)).collect::<Vec<_>>();
    let deals = deals.join("\", \"");
    for (more, blocks, caution) in [
        (
            format!("options: {{cards: 5, deals: [\"{deals}\"]}}\n"),
            60,
            "The given deals repeat after 12 blocks",
        ),
        (
            "sequential: {tuned_for: 10}\n".to_owned(),
            40,
            "results decided which blocks each version played",
        ),
    ] {
        let folder = Folder::new();
        for share in [40, 60] {
            folder.write("mine.lua", script(share));
            folder.write(
                "x.yaml",
                format!(
                    "game: tanhinmin\nseed: 8\nentrants: [random, {{name: mine, bot: mine.lua}}]\n\
                     format: {{kind: line-ups, size: 2}}\nblocks: {blocks}\ndeals: 1\n{more}\
                     report: {{correction: holm}}\n"
                ),
            );
            folder.succeeds("run x.yaml --no-report");
        }
        let report = folder.succeeds("report x.sqlite --versions mine --format json");
        let report = report.json();
        assert!(report["cautions"].to_string().contains(caution), "{report}");
        assert_eq!(report["settings"]["correction"], "holm");
        let pooled = &report["pairs"][0]["pooled"];
        match blocks {
            60 => assert_eq!(pooled["tested"]["n"], 12, "{pooled}"),
            _ => assert!(pooled["not_testable"].is_string(), "{pooled}"),
        }
    }
}

#[test]
fn an_edited_bot_is_reported_with_the_version_that_played() {
    let folder = Folder::new();
    let four = "all, base, pair, random";
    write(&folder, four, 50, 2);
    folder.succeeds("run x.yaml --json");
    let looks = ["report x.yaml", "report x.sqlite", "replay x.yaml"];
    for look in looks {
        folder.succeeds(look).never_says("changed since");
    }
    write(&folder, four, 100, 2);
    for look in looks {
        let file = look.split(' ').nth(1).unwrap();
        folder.hattari(look).complains([
            "changed since the league was last played: `mine`; ",
            " of version 1 of mine (2 blocks). `hattari run x.yaml`",
            &format!("`hattari report {file} --versions mine`"),
        ]);
    }
}

/// Kills end the rounds of a league at any block, and every format is computed from the stored
/// blocks in the same way (`arena/play/src/runner/work_unit_tests.rs`).
#[test]
fn adaptive_formats_give_the_same_results_after_kills() {
    for (format, is_killed) in [
        ("{kind: swiss, rounds: 4, size: 5}", true),
        ("{kind: knockout, size: 5, through: 2}", false),
        (
            "{kind: race, challengers: [all, all-k, base], field: [client, client, client, default], margin: 0.3}",
            false,
        ),
    ] {
        let names = "all, all-k, base, client, default, pair, random, single, plain, all-s";
        let blocks = if is_killed { 40 } else { 12 };
        let folder = Folder::of(&format!(
            "game: daihinmin\nseed: 4\nentrants: [{names}]\nformat: {format}\nblocks: {blocks}\ndeals: 20\nsame_deals: true\n"
        ));
        // The end of a run, and its page with games of all rounds. The page has rounds, but no
        // verdicts, which would need a test.
        folder
            .succeeds("run x.yaml --quiet")
            .says(["Standings of the format after the end", "Pairings by round"]);
        has(&folder.read("x.html"), "Pairings by round");
        let JobId { line_up, block } = folder.records("x.yaml").last().unwrap().job;
        folder
            .succeeds(format!("replay x.yaml --line-up {line_up} --block {block}"))
            .says("the replayed block equals the stored record");
        if is_killed {
            let run = "run x.yaml --store killed.sqlite --no-report --quiet";
            let kills = killed_again_and_again(folder.root(), run, 40);
            assert!(0 < kills, "{format}");
            assert_eq!(folder.printed("killed.sqlite"), folder.printed("x.sqlite"));
        }
        folder
            .try_run("shard.sqlite", "--shard 1/2")
            .code(2)
            .complains("split the remaining work with `hattari cluster plan`");
    }
}

/// Builds of the same sources are one version, even if the library differs. A changed source is
/// another version.
#[test]
#[ignore = "needs make (apt-get install make)"]
fn the_version_of_a_library_depends_on_its_sources() {
    let folder = Folder::new();
    folder.succeeds("new c tanhinmin mine");
    let mine = folder.path("mine");
    let build = |flags: &str| shell(&mine, &format!("make clean\nmake CFLAGS={flags}")).code(0);
    let library = format!("mine/{}", library("mine"));
    let bot = format!("{{name: mine, bot: {library}}}");
    folder.write(
        "x.yaml",
        format!(
            "game: tanhinmin\nentrants: [{bot}, random]\nformat: {{kind: line-ups, size: 2}}\nblocks: 6\ndeals: 4\n"
        ),
    );
    let played = || folder.run("x.sqlite", "--json").json()["played"].natural();
    build("-O0");
    let first = folder.bytes(&library);
    assert_eq!(played(), 6);
    build("'-O2 -g'");
    assert_ne!(folder.bytes(&library), first, "other bytes");
    folder
        .run("x.sqlite", "")
        .complains("mine: same sources, built as another file");
    assert_eq!(played(), 0);
    let source = folder.read("mine/mine.c");
    folder.write("mine/mine.c", format!("{source}/* another thought */\n"));
    build("-O2");
    assert_eq!(played(), 6);
    // Without a digest, the file determines the version.
    shell(&mine, "make clean\nmake VERSION=").code(0);
    assert_eq!(played(), 6);
    folder
        .run("x.sqlite", "")
        .complains("are stored but not used");
}

/// Another build of the program has the same versions of its bots, unless it declares others.
#[test]
fn the_version_of_a_built_in_bot_is_its_declared_version_and_game_rules() {
    let folder = Folder::of(
        "game: tanhinmin\nentrants: [boss, random]\nformat: {kind: line-ups, size: 2}\nblocks: 1\n",
    );
    folder.run("x.sqlite", "");
    let bots = folder.succeeds("show bots --json").json();
    let is_boss =
        |bot: &&serde_json::Value| bot["name"] == "boss" && bot["games"][0] == "tanhinmin/1";
    let declared = bots["bots"].list().iter().find(is_boss).unwrap()["version"].text();
    let content = &folder.succeeds("store list x.sqlite --json").json()["versions"][0]["content"];
    assert_eq!(content["bot"], "boss");
    assert_eq!(content["file"], "");
    assert_eq!(content["hash"], format!("version {declared}, rules 1"));
}

/// Given deals are the same for all line-ups, in every game that supports them, and continue from
/// block to block.
#[test]
fn deals_from_a_file_are_the_same_for_all_line_ups() {
    for (game, entrants, size, deals, dealt) in [
        (
            "holdem",
            "[call, random, honest]",
            2,
            "AsAh / KsKh | 2c 3d\nQsQh\n",
            [["A♠ A♥", "K♠ K♥"], ["Q♠ Q♥", ""]],
        ),
        (
            "stud",
            "[random, {name: b, bot: random}, {name: c, bot: random}]",
            2,
            "AsAhAd\n - / 9c9d\n",
            [["A♠ A♥, open A♦", ""], ["9♦ 9♣", ""]],
        ),
        (
            "tanhinmin",
            "[random, {name: a, bot: random}, {name: b, bot: random}]",
            2,
            "6 5 4\n1 / 2\n",
            [["4 5 6", "1 2 3"], ["1 ", "2 "]],
        ),
        (
            "daihinmin",
            "[base, all, pair, single, random, client]",
            5,
            "# two\nJK S2 H2 D2\n-/JK\n",
            [["2♠ 2♥ 2♦", "joker"], ["joker", ""]],
        ),
    ] {
        let folder = Folder::of(&format!(
            "game: {game}\nentrants: {entrants}\noptions: {{deals: {{file: deals.txt}}}}\nformat: {{kind: line-ups, size: {size}}}\nblocks: 2\ndeals: 2\n"
        ));
        folder.write("deals.txt", deals);
        // In two blocks of the first line-up and one of the second.
        for (line_up, block) in [(0, 0), (0, 1), (1, 0)] {
            for (deal, cards) in dealt.iter().enumerate() {
                let shown = folder.succeeds(format!(
                    "replay x.yaml --line-up {line_up} --block {block} --deal {deal}"
                ));
                cards.iter().for_each(|cards| has(&shown.out, cards));
            }
        }
        folder.write("deals.txt", "# none\n");
        folder.refuses("run x.yaml", ["the file contains no deals", "deals.txt"]);
    }
}

#[test]
fn line_ups_with_few_blocks_are_named_as_the_cause_of_wide_intervals() {
    let folder = Folder::of(
        "game: tanhinmin\nseed: 8\nentrants: [random, eager, saver, boss]\n\
         format: {kind: round-robin, size: 2, withdrawn: {boss: 3}}\nblocks: 6\ndeals: 2\n",
    );
    folder.succeeds("run x.yaml --no-report");
    let report = folder.succeeds("report x.yaml --format json").json();
    let cautions = report["cautions"].to_string();
    has(&cautions, "3 of 6 line-ups have fewer than 5 blocks");
}
