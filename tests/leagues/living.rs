//! A league that changes: bots are edited, added and removed, and blocks are added, in any order.
//! Only missing blocks are played. The result is that of a league that had this form from the
//! start.

use crate::support::{Folder, killed_again_and_again, library, shell};
use std::collections::{BTreeMap, HashSet};

/// Returns a Lua bot that takes the legal action at this percentage of the list.
fn script(share: u32) -> String {
    format!(
        "return {{ act = function(_, legal) return math.max(1, #legal * {share} // 100) end }}\n"
    )
}

/// The league at a point in time.
struct Now {
    /// Entrants, with the contents of the files of scripts.
    entrants: BTreeMap<&'static str, Option<u32>>,
    blocks: u32,
    order: bool,
}

impl Now {
    fn write(&self, folder: &Folder) {
        let mut list: Vec<String> = Vec::new();
        for (name, share) in &self.entrants {
            match share {
                Some(share) => {
                    folder.write(&format!("{name}.lua"), script(*share));
                    list.push(format!("{{name: {name}, bot: {name}.lua}}"));
                }
                None => list.push((*name).to_owned()),
            }
        }
        if self.order {
            list.reverse();
        }
        let (list, blocks) = (list.join(", "), self.blocks);
        let league = format!(
            "game: daihinmin\nseed: 8\nentrants: [{list}]\nformat: {{kind: line-ups, size: 5}}\nblocks: {blocks}\ndeals: 3\n"
        );
        folder.write("x.yaml", league);
    }

    /// Returns all blocks of the league: entrants with versions, and number.
    fn blocks(&self) -> HashSet<(Vec<String>, u32)> {
        let versions: Vec<String> = self
            .entrants
            .iter()
            .map(|(name, share)| format!("{name} {share:?}"))
            .collect();
        let choices = (0_u32..1 << versions.len()).filter(|choice| choice.count_ones() == 5);
        let table = |choice: u32| (0..versions.len()).filter(move |at| choice >> at & 1 == 1);
        let tables = choices.map(|choice| {
            table(choice)
                .map(|at| versions[at].clone())
                .collect::<Vec<_>>()
        });
        tables
            .flat_map(|table| (0..self.blocks).map(move |block| (table.clone(), block)))
            .collect()
    }
}

/// A change by the user.
type Change = fn(&mut Now);

#[test]
fn only_missing_blocks_are_played_after_any_change() {
    let folder = Folder::new();
    let mut now = Now {
        entrants: [
            "all", "all-k", "base", "client", "default", "pair", "random", "single",
        ]
        .map(|name| (name, None))
        .into(),
        blocks: 2,
        order: false,
    };
    now.entrants.insert("mine", Some(50));
    now.entrants.insert("yours", Some(100));
    let mut there: HashSet<(Vec<String>, u32)> = HashSet::new();
    let changes: [(&str, Change); 10] = [
        ("ten bots", |_| {}),
        ("one is edited", |now| {
            _ = now.entrants.insert("mine", Some(60))
        }),
        ("one goes", |now| _ = now.entrants.remove("client")),
        ("blocks are doubled", |now| now.blocks *= 2),
        ("two come", |now| {
            now.entrants.extend([("plain", None), ("extra", Some(10))])
        }),
        ("another is edited", |now| {
            _ = now.entrants.insert("yours", Some(70))
        }),
        ("the file is in another order", |now| now.order = true),
        ("the first edit is taken back", |now| {
            _ = now.entrants.insert("mine", Some(50))
        }),
        ("who has gone comes back, others go", |now| {
            now.entrants.insert("client", None);
            now.entrants
                .retain(|name, _| !["plain", "extra"].contains(name));
        }),
        ("fewer blocks", |now| now.blocks = 3),
    ];
    for (what, change) in changes {
        change(&mut now);
        now.write(&folder);
        let wanted = now.blocks();
        let missing = wanted.difference(&there).count() as u64;
        folder.succeeds("run x.yaml --dry-run").says(&format!(
            "to play   {} block",
            hattari::text::grouped(missing)
        ));
        let run = folder.run("x.sqlite", "--json").code(0).json();
        assert_eq!(run["played"], missing, "{what}");
        assert_eq!(run["blocks"], wanted.len() as u64, "{what}");
        let alone = folder
            .run("alone.sqlite", "--json --restart")
            .code(0)
            .json();
        assert_eq!(run["digest"], alone["digest"], "{what}");
        assert_eq!(
            folder.printed("x.sqlite"),
            folder.printed("alone.sqlite"),
            "{what}"
        );
        there.extend(wanted);
    }
    let store = folder.succeeds("store list x.sqlite --json").json();
    let aside: u64 = store["aside"]
        .as_array()
        .unwrap()
        .iter()
        .map(|aside| aside["blocks"].as_u64().unwrap())
        .sum();
    assert_eq!(
        aside,
        (there.len() - now.blocks().len()) as u64,
        "nothing was thrown away"
    );
    folder
        .succeeds("report x.sqlite --versions mine")
        .says("version 1")
        .says("version 2");
    // A block has three deals.
    let versions = folder
        .succeeds("report x.sqlite --versions mine --format json")
        .json();
    let bots = versions["bots"].as_array().unwrap();
    assert!(
        bots.iter()
            .all(|bot| bot["deals"].as_u64() == bot["blocks"].as_u64().map(|blocks| 3 * blocks)),
        "{bots:?}"
    );
    folder.refuses(
        "report x.sqlite --versions nobody",
        "no entrant `nobody` has played",
    );
    folder
        .succeeds("store prune x.sqlite")
        .complains(&format!("{} blocks deleted", hattari::text::grouped(aside)));
    assert_eq!(folder.printed("x.sqlite"), folder.printed("alone.sqlite"));
}

#[test]
fn an_edited_bot_is_reported_with_the_version_that_played() {
    let folder = Folder::new();
    let mut now = Now {
        entrants: ["all", "base", "pair", "random"]
            .map(|name| (name, None))
            .into(),
        blocks: 2,
        order: false,
    };
    now.entrants.insert("mine", Some(50));
    now.write(&folder);
    folder.succeeds("run x.yaml --json");
    let looks = [
        &["report", "x.yaml"][..],
        &["report", "x.sqlite"],
        &["replay", "x.yaml"],
    ];
    for look in looks {
        assert!(
            !folder.succeeds(look).err.contains("changed since"),
            "{look:?}"
        );
    }
    now.entrants.insert("mine", Some(100));
    now.write(&folder);
    for look in looks {
        folder
            .hattari(look)
            .complains("changed since the league was last played: `mine`; ")
            .complains(" of version 1 of mine (2 blocks). `hattari run x.yaml`")
            .complains(&format!("`hattari report {} --versions mine`", look[1]));
    }
}

#[test]
fn adaptive_formats_give_the_same_results_after_kills() {
    for (format, blocks) in [
        ("{kind: swiss, rounds: 4, size: 5}", 40),
        ("{kind: knockout, size: 5, through: 2}", 60),
        (
            "{kind: race, challengers: [all, all-k, base, pair, single], field: [client, client, client, default], margin: 0.3}",
            60,
        ),
    ] {
        let names = "all, all-k, base, client, default, pair, random, single, plain, all-s";
        let folder = Folder::of(&format!(
            "game: daihinmin\nseed: 4\nentrants: [{names}]\nformat: {format}\nblocks: {blocks}\ndeals: 20\nsame_deals: true\n"
        ));
        let whole = folder.run("whole.sqlite", "--json --jobs 2").code(0).json();
        // The end of a run, and its page with games of all rounds.
        folder
            .succeeds("run x.yaml --store page.sqlite --quiet")
            .says("Standings of the format after the end");
        assert!(folder.read("page.html").contains("Pairings by round"));
        let last = folder.records("page.sqlite").last().unwrap().job;
        let (line_up, block) = (last.line_up.to_string(), last.block.to_string());
        let replay = [
            "replay",
            "x.yaml",
            "--store",
            "page.sqlite",
            "--line-up",
            &line_up,
            "--block",
            &block,
        ];
        folder
            .succeeds(replay)
            .says("the replayed block equals the stored record");
        let kills = killed_again_and_again(
            folder.root(),
            "run x.yaml --store killed.sqlite --no-report --quiet",
            40,
        );
        assert!(0 < kills, "{format}");
        assert_eq!(
            folder.printed("killed.sqlite"),
            folder.printed("whole.sqlite"),
            "{format}"
        );
        let digest = whole["digest"].as_str().unwrap();
        folder.run("killed.sqlite", "--json").code(0).says(digest);
        // The page has rounds, but no verdicts, which would need a test.
        folder
            .succeeds("report whole.sqlite")
            .says("Standings of the format after")
            .says("Pairings by round");
        folder.succeeds("report whole.sqlite --html");
        assert!(
            folder
                .read("whole.html")
                .contains("Standings of the format after")
        );
        folder
            .run("shard.sqlite", "--shard 1/2")
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
    let played = || {
        folder.run("x.sqlite", "--json").code(0).json()["played"]
            .as_u64()
            .unwrap()
    };
    build("-O0");
    let first = std::fs::read(folder.path(&library)).unwrap();
    assert_eq!(played(), 6);
    build("'-O2 -g'");
    assert_ne!(
        std::fs::read(folder.path(&library)).unwrap(),
        first,
        "other bytes"
    );
    folder
        .run("x.sqlite", "")
        .code(0)
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
        .code(0)
        .complains("are stored but not used");
}

/// Another build of the program has the same versions of its bots, unless it declares others.
#[test]
fn the_version_of_a_built_in_bot_is_its_declared_version_and_game_rules() {
    let folder = Folder::of(
        "game: tanhinmin\nentrants: [boss, random]\nformat: {kind: line-ups, size: 2}\nblocks: 1\n",
    );
    folder.run("x.sqlite", "").code(0);
    let bots = folder.succeeds("show bots --json").json();
    let is_boss =
        |bot: &&serde_json::Value| bot["name"] == "boss" && bot["games"][0] == "tanhinmin/1";
    let declared = bots["bots"]
        .as_array()
        .unwrap()
        .iter()
        .find(is_boss)
        .unwrap()["version"]
        .as_str()
        .unwrap();
    let content = &folder.succeeds("store list x.sqlite --json").json()["versions"][0]["content"];
    assert_eq!(
        (&content["bot"], &content["file"]),
        (&"boss".into(), &"".into())
    );
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
        folder.succeeds("run x.yaml --quiet");
        for (line_up, block, deal) in
            (0..12).map(|number: usize| (number / 4, number / 2 % 2, number % 2))
        {
            let [line_up, block, number] = [line_up, block, deal].map(|number| number.to_string());
            let replay = [
                "replay",
                "x.yaml",
                "--line-up",
                &line_up,
                "--block",
                &block,
                "--deal",
                &number,
            ];
            let shown = folder.succeeds(replay).out;
            dealt[deal]
                .iter()
                .for_each(|cards| assert!(shown.contains(cards), "{game}: no {cards} in {shown}"));
        }
        folder.write("deals.txt", "# none\n");
        folder
            .refuses("run x.yaml", "the file contains no deals")
            .complains("deals.txt");
    }
}
