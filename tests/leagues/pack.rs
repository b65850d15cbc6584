//! Packs: a league in one file plays elsewhere as at home, and a manipulated pack is rejected.

use crate::support::{Folder, JsonPart};
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::path::Path;
use tar::{Archive, Builder, EntryType, Header};

/// Returns a bot that plays the legal action with this index from the end of the list.
fn script(back: u32) -> String {
    format!("return {{ act = function(view, legal) return math.max(1, #legal - {back}) end }}")
}

const LEAGUE: &str = "\
game: daihinmin
seed: 2007
entrants: [base, all-k, single, mine, {name: near, bot: ./near.lua}, far]
format: {kind: line-ups, size: 5}
blocks: 5
deals: 8
report: {published: {file: ../published/tables.json, table: table1}}
";

/// Returns an empty folder with a cache of its own.
fn empty() -> Folder {
    Folder::new().with_own_cache()
}

/// Returns a project with a league whose bots are in three places, one of them outside of the
/// project.
fn home() -> Folder {
    let folder = empty();
    folder.write("project/leagues/x.yaml", LEAGUE);
    folder.write("project/leagues/near.lua", script(0));
    folder.write("project/scripts/daihinmin/mine.lua", script(1));
    folder.write("elsewhere/daihinmin/far.lua", script(2));
    folder.copy(
        "leagues/published/congeniality.json",
        "project/published/tables.json",
    );
    folder
}

/// Packs the league of [`home`] as `x.hattari`.
fn packed(home: &Folder) -> Vec<u8> {
    home.succeeds("cluster pack project/leagues/x.yaml -o x.hattari --bots elsewhere");
    home.bytes("x.hattari")
}

/// Returns a folder with a pack.
fn away(pack: &[u8]) -> Folder {
    let folder = empty();
    folder.write("x.hattari", pack);
    folder
}

#[test]
fn a_pack_gives_the_same_records_as_its_league() {
    let home = home();
    let pack = packed(&home);
    let plain = "run project/leagues/x.yaml --no-report --store plain.sqlite --bots elsewhere";
    home.succeeds(plain);
    let digest = home.digest("plain.sqlite");
    assert!(digest.trim().ends_with(" 30"), "{digest}");
    let away = away(&pack);
    fs::copy(home.path("plain.sqlite"), away.path("plain.sqlite")).unwrap();
    drop(home);
    // Local files with the names of the league's bots are not used.
    for name in ["mine", "far", "base"] {
        away.write(&format!("scripts/daihinmin/{name}.lua"), script(99));
    }
    away.succeeds("run x.hattari --dry-run")
        .says(["30 blocks, 240 deals", "x.sqlite (new)"]);
    let units = away
        .succeeds("cluster plan x.hattari --units 2 --json")
        .json();
    for (number, unit) in units["units"].list().iter().enumerate() {
        let unit = unit["unit"].text();
        away.succeeds(format!(
            "run x.hattari --unit {unit} --store part-{number}.sqlite --json"
        ));
    }
    away.succeeds("cluster merge merged.sqlite part-0.sqlite part-1.sqlite")
        .says("added 30 blocks");
    away.succeeds("run x.hattari --no-report")
        .complains("0 faults");
    assert_eq!(away.digest("x.hattari"), digest);
    assert_eq!(away.digest("merged.sqlite"), digest);
    away.succeeds("cluster plan x.hattari")
        .says("played: 30, remaining: 0 blocks");

    // All commands for leagues accept packs, also if the store comes from other machines.
    let report = "report x.hattari --store plain.sqlite";
    away.succeeds(report)
        .says(["near", "ublished"])
        .never_says("No comparison");
    away.succeeds((&report, "--html")).never_says("no games");
    away.succeeds("replay x.hattari")
        .says("equals the stored record");
    away.succeeds("export corpus x.hattari --block 0");
    away.succeeds("store list x.hattari")
        .says("30 blocks of the 30 in its league");
    away.refuses("run x.hattari --bots scripts", "contains its bots");
    away.refuses("cluster pack x.hattari", "is already a pack");
}

#[test]
fn the_same_files_give_the_same_pack_in_any_folder() {
    let (one, other) = (home(), home());
    let pack = packed(&one);
    assert_eq!(pack, packed(&other));
    assert_eq!(pack, packed(&one));
    let entries = entries(&pack);
    let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    let outside = format!(
        "files/outside/{}/far.lua",
        &hexadecimal(script(2).as_bytes())[..16]
    );
    let expected = [
        "hattari.json",
        "files/leagues/near.lua",
        "files/leagues/x.yaml",
        &outside,
        "files/published/tables.json",
        "files/scripts/daihinmin/mine.lua",
    ];
    assert_eq!(names, expected);
    assert_eq!(entries[2].1, LEAGUE.as_bytes());
    one.write("project/leagues/near.lua", script(3));
    assert_ne!(pack, packed(&one));
}

#[test]
fn files_of_deals_are_packed_with_the_league() {
    let folder = empty();
    folder.copy("leagues/bridge-example-any.pbn", "p/deals/any.pbn");
    folder.write("p/l/first.lua", script(0));
    let league = "{game: bridge, preset: 3nt, seed: 1, options: {dealer: W, deals: {file: ../deals/any.pbn}, played: S7 S2 SJ}, \
                  entrants: [{name: a, bot: ./first.lua}, {name: b, bot: ./first.lua}], format: {kind: pairs, a: [a], b: [b]}, blocks: 3}";
    folder.write("p/l/x.yaml", league);
    folder.succeeds("run p/l/x.yaml --no-report");
    let digest = folder.digest("p/l/x.yaml");
    folder
        .succeeds("cluster pack p/l/x.yaml")
        .says("deals/any.pbn");
    let away = away(&folder.bytes("p/l/x.hattari"));
    drop(folder);
    away.succeeds("run x.hattari --no-report");
    assert_eq!(away.digest("x.hattari"), digest);
}

#[test]
fn leagues_that_cannot_be_packed_are_refused_with_the_reason() {
    let folder = empty().trusting();
    folder.write("bot.sh", "exit 1");
    let league = |entrant: &str| {
        let rest = "game: daihinmin, seed: 1, format: {kind: line-ups, size: 5}, blocks: 1";
        folder.write(
            "x.yaml",
            format!("{{{rest}, entrants: [a, b, c, d, {entrant}]}}").replace("a, b, c, d", OWN),
        );
    };
    /// Four built-in bots.
    const OWN: &str = "base, all-k, single, default";
    league("{name: e, kind: uecda, command: [sh, bot.sh]}");
    folder
        .refuses("cluster pack x.yaml", "programs are not packed")
        .complains("`bot.sh` would be missing");
    league("{name: e, kind: uecda, command: [../none/bot, -x]}");
    folder.refuses("cluster pack x.yaml", "`../none/bot` would be missing");
    league("{name: e, kind: uecda, command: [sh, -c, exit 1]}");
    folder.succeeds("cluster pack x.yaml").says([
        "which must be installed on every machine",
        "base, default, single",
    ]);
    league("{name: e, bot: ./e.lua, config: {weights: bot.sh}}");
    folder.write("e.lua", script(0));
    folder
        .succeeds("cluster pack x.yaml")
        .says("the config of `e` names the file `bot.sh`");
    folder
        .succeeds("cluster pack x.yaml --with bot.sh")
        .says("  bot.sh\n")
        .never_says("the config of");
    let table = folder.path("t.json");
    folder.write("t.json", "{\"t\": 1}");
    let absolute = format!(
        "base]\nreport: {{published: {{file: {}, table: t}}}}",
        table.display()
    );
    folder.write(
        "x.yaml",
        format!("game: daihinmin\nseed: 1\nblocks: 1\nformat: {{kind: line-ups, size: 5}}\nentrants: [all-k, single, default, plain, {absolute}\n"),
    );
    folder.refuses("cluster pack x.yaml", "by an absolute path");
    folder.hattari("cluster pack x.yaml -o x.zip").code(2);
}

#[cfg(unix)]
#[test]
fn a_packed_library_names_its_platform_and_needs_the_same_trust() {
    let folder = empty();
    folder.library("bots/c/template.c", "mine", &[]);
    let plays = |bot: &str| {
        format!(
            "{{game: daihinmin, seed: 1, format: {{kind: line-ups, size: 5}}, blocks: 2, deals: 2, entrants: [base, all-k, single, default, {bot}]}}"
        )
    };
    let file = format!("bots/libmine.{}", std::env::consts::DLL_EXTENSION);
    folder.write("x.yaml", plays(&format!("{{name: mine, bot: {file}}}")));
    let here = format!(
        "is compiled for {} {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    folder.succeeds("cluster pack x.yaml").says([&*here, &file]);
    let elsewhere = away(&folder.bytes("x.hattari"));
    elsewhere
        .succeeds("run x.hattari --no-report")
        .complains("2 of 2 blocks");
    folder.write(
        "x.yaml",
        plays(&format!("{{name: mine, bot: {file}, isolation: none}}")),
    );
    folder.refuses("cluster pack x.yaml", "`--trust`");
    folder.succeeds("cluster pack x.yaml --trust");
    let elsewhere = away(&folder.bytes("x.hattari"));
    elsewhere.refuses("run x.hattari --no-report", "`--trust`");
    elsewhere.succeeds("run x.hattari --no-report --trust");
}

#[test]
fn other_platforms_and_versions_are_reported() {
    let pack = packed(&home());
    let changed = remade(&pack, |list, _| {
        list["bots"]["base"]["hash"] = "0123456789abcdef".into();
        list["bots"]["mine"]["machine"] = "plan9 mips".into();
    });
    away(&changed)
        .succeeds("run x.hattari --no-report")
        .complains([
            "`base` has another version in this Hattari",
            "`mine` is compiled for plan9 mips",
        ]);
    away(&pack)
        .succeeds("run x.hattari --no-report")
        .never_says(["has another version", "is compiled for"]);
}

/// Runs a pack that must be rejected. Asserts that it leaves no files.
#[track_caller]
fn refused(pack: &[u8], told: &str) {
    let away = away(pack);
    let ended = away.hattari("run x.hattari --no-report").code(2);
    ended.complains(["x.hattari: ", "; ", told]);
    let left: Vec<String> = fs::read_dir(away.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["x.hattari"], "nothing is unpacked");
    assert!(!Path::new("/tmp/evil-of-a-pack").exists());
}

#[test]
fn hostile_packs_are_refused_before_anything_is_written() {
    let pack = packed(&home());
    // In the list and the archive, and only in the archive.
    for (path, told) in [
        ("../../../evil", "leads out of the folder of the pack"),
        (
            "/tmp/evil-of-a-pack",
            "is not a path relative to the folder of the pack",
        ),
        (
            "c:/evil",
            "is not a path relative to the folder of the pack",
        ),
    ] {
        let listed = remade(&pack, |list, entries| {
            let item = json!({"path": path, "size": 4, "sha256": hexadecimal(b"evil")});
            list["files"].as_array_mut().unwrap().push(item);
            entries.push((
                raw(&format!("files/{path}"), EntryType::Regular, 4),
                b"evil".to_vec(),
            ));
        });
        refused(&listed, told);
    }
    for (name, told) in [
        ("../evil", "leads out of the folder"),
        ("/tmp/evil-of-a-pack", "is not a path relative"),
        ("files/more", "not in the file list"),
    ] {
        let more = remade(&pack, |_, entries| {
            entries.push((raw(name, EntryType::Regular, 4), b"evil".to_vec()))
        });
        refused(&more, told);
    }
    let linked = |kind| {
        remade(&pack, |_, entries| {
            let mut header = raw("files/leagues/near.lua", kind, 0);
            header.set_link_name("/etc/passwd").unwrap();
            header.set_cksum();
            entries[0] = (header, Vec::new());
        })
    };
    let near = "`files/leagues/near.lua` is";
    for (kind, told) in [
        (EntryType::Symlink, "a link"),
        (EntryType::Link, "a link"),
        (EntryType::Fifo, "not a regular file"),
        (EntryType::GNUSparse, "not a regular file"),
    ] {
        refused(&linked(kind), &format!("{near} {told}"));
    }
    let twice = remade(&pack, |_, entries| entries.insert(1, entries[0].clone()));
    refused(&twice, "occurs twice");
    let listed_twice = remade(&pack, |list, _| {
        let first = list["files"][0].clone();
        list["files"].as_array_mut().unwrap().push(first);
    });
    refused(&listed_twice, "occurs twice");
    refused(
        &remade(&pack, |list, _| list["league"] = "../x.yaml".into()),
        "which is not in the file list",
    );
    refused(
        &remade(&pack, |list, _| list["format"] = 2.into()),
        "the pack has format 2",
    );
}

#[test]
fn damaged_packs_are_refused_with_a_suggested_fix() {
    let pack = packed(&home());
    let mut flipped = pack.clone();
    flipped[pack.len() / 2] ^= 0x40;
    let damaged = "damaged or incomplete";
    for (pack, told) in [
        (
            &remade(&pack, |_, entries| entries[0].1[0] ^= 1)[..],
            "`leagues/near.lua` differs from the packed file: its SHA-256 is ",
        ),
        (
            &remade(&pack, |_, entries| _ = entries.pop()),
            "`scripts/daihinmin/mine.lua` is in the file list but not in the pack",
        ),
        (
            &pack[..10],
            "use an undamaged copy, or pack the league again",
        ),
        (&pack[..pack.len() / 2], damaged),
        (&flipped, ""),
        (
            &[&pack[..], b"more"].concat(),
            "there is data after the end of the pack",
        ),
        (LEAGUE.as_bytes(), damaged),
        (&[], damaged),
    ] {
        refused(pack, told);
    }
    empty().refuses("run none.hattari", "none.hattari: cannot be read");
}

#[test]
fn oversized_packs_are_refused_by_declared_and_by_actual_size() {
    let pack = packed(&home());
    let size = 3 << 29;
    let said = remade(&pack, |list, _| list["files"][0]["size"] = size.into());
    refused(&said, "1,610,");
    // 64 MiB of zeros where the list has a small file; in the pack they take a few kB.
    let nothing = vec![0; 64 << 20];
    let bomb = remade(&pack, |_, entries| {
        entries[0] = (
            raw(
                "files/leagues/near.lua",
                EntryType::Regular,
                nothing.len() as u64,
            ),
            nothing.clone(),
        );
    });
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    refused(
        &bomb,
        "`leagues/near.lua` has 67,108,864 bytes, but the file list says ",
    );
    let behind = remade(&pack, |_, entries| {
        entries.push((
            raw("files/z", EntryType::Regular, 64 << 20),
            nothing.clone(),
        ))
    });
    refused(&behind, "not in the file list");
    let list = remade(&pack, |list, _| {
        list["more"] = Value::String(" ".repeat(16 << 20))
    });
    refused(&list, "the file list has 16,7");
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns names and contents of the files in a pack.
fn entries(pack: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = Archive::new(GzDecoder::new(pack));
    let read = |entry: std::io::Result<tar::Entry<'_, GzDecoder<&[u8]>>>| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (
            String::from_utf8(entry.path_bytes().into_owned()).unwrap(),
            bytes,
        )
    };
    archive.entries().unwrap().map(read).collect()
}

/// Returns a header with any name.
fn raw(name: &str, kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

/// Returns a pack with another list and other files.
fn remade(pack: &[u8], change: impl FnOnce(&mut Value, &mut Vec<(Header, Vec<u8>)>)) -> Vec<u8> {
    let mut old = entries(pack).into_iter();
    let mut list: Value = serde_json::from_slice(&old.next().unwrap().1).unwrap();
    let mut files = old
        .map(|(name, bytes)| (raw(&name, EntryType::Regular, bytes.len() as u64), bytes))
        .collect();
    change(&mut list, &mut files);
    let list = serde_json::to_vec(&list).unwrap();
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), flate2::Compression::best()));
    archive
        .append(
            &raw("hattari.json", EntryType::Regular, list.len() as u64),
            &list[..],
        )
        .unwrap();
    for (header, bytes) in &files {
        archive.append(header, &bytes[..]).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

/// All files of a script determine its version and are packed.
#[test]
fn helper_files_of_a_script_are_packed_and_versioned_with_it() {
    let league = "game: daihinmin\nseed: 5\nentrants: [base, all-k, default, plain, {name: mine, bot: ./mine/mine.lua}]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 2\ndeals: 3\n";
    let folder = Folder::of(league);
    folder.write(
        "mine/mine.lua",
        "local choose = require(\"choose\")\nreturn { act = function(view, legal) return choose.best(legal) end }",
    );
    let helper = "runs = (runs or 0) + 1\nassert(runs == 1 and config ~= nil)\n\
                  return { best = function(legal) assert(runs == 1) return INDEX end }";
    folder.write("mine/choose.lua", helper.replace("INDEX", "1"));
    folder
        .succeeds("run x.yaml --no-report")
        .complains("0 faults");
    let digest = folder.succeeds("store list x.yaml").out;
    // The pack plays elsewhere.
    folder.succeeds("cluster pack x.yaml -o x.hattari");
    let elsewhere = away(&folder.bytes("x.hattari"));
    elsewhere
        .succeeds("run x.hattari --no-report")
        .complains("0 faults");
    assert_eq!(folder.printed("x.yaml"), elsewhere.printed("x.hattari"));
    // A changed helper file makes another version of the bot.
    folder.write("mine/choose.lua", helper.replace("INDEX", "#legal"));
    folder.succeeds("run x.yaml --no-report");
    let now = folder.succeeds("store list x.yaml").out;
    assert!(
        digest != now && now.lines().count() > digest.lines().count(),
        "{digest}\n{now}"
    );
    // Errors in a helper file are reported with their line.
    folder.write(
        "mine/choose.lua",
        "return {\n  best = function() error(\"lost\") end }",
    );
    folder
        .hattari("check mine/mine.lua --game daihinmin --time 0.2")
        .code(1)
        .says("choose.lua:2: lost");
}

#[test]
fn limits_apply_to_a_packed_league_without_its_excluded_entrants() {
    let folder = empty();
    for (number, name) in (0..).zip(["a", "b", "c", "d", "e"]) {
        folder.write(&format!("entries/{name}.lua"), script(number));
    }
    folder.write("entries/broken.lua", "return {");
    // Six entrants form 6 line-ups, seven form 21, which is more blocks than a league may have.
    let league = "\
game: daihinmin
seed: 1
entrants: [{bot: entries/*.lua}, base]
on_error: exclude
format: {kind: line-ups, size: 5}
blocks: 10000000
deals: 1
";
    folder.write("league.yaml", league);
    folder.succeeds("cluster pack league.yaml -o league.hattari");
    folder
        .succeeds("run league.hattari --dry-run")
        .says("60,000,000 blocks");
}
