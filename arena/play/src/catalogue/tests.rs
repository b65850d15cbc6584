//! Tests of finding bots by name and by path.

use super::found::built_in_version;
use super::*;
use crate::mock::has;
use hattari_agents::agent::BotInfo;
use std::fs;
use std::path::{Path, PathBuf};

const FIRST: &str = "return { act = function(view, legal) return 1 end }";

/// Writes a file, given by its path below a folder, and returns its path.
fn write(folder: &tempfile::TempDir, file: &str, text: &str) -> PathBuf {
    let path = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(
        &folder,
        "scripts/daihinmin/greedy.lua",
        &format!("--!strict\n-- Plays what it can.\n{FIRST}"),
    );
    write(&folder, "scripts/daihinmin/timid.lua", FIRST);
    folder
}

fn catalogue(root: &Path) -> Catalogue {
    let mut search = SearchPath::default();
    search.add_root(root);
    Catalogue::discover(&search)
}

#[test]
fn a_built_in_bot_of_an_unsupported_game_is_an_error() {
    let mut bot = BotInfo {
        id: "first".into(),
        version: "1.2.0".into(),
        author: String::new(),
        license: String::new(),
        description: String::new(),
        games: vec!["tanhinmin/1".into()],
        config_schema: None,
        learns: false,
        nondeterministic: false,
        threads: false,
    };
    assert_eq!(
        built_in_version("some-bots", &bot).unwrap(),
        "version 1.2.0, rules 1"
    );
    bot.games = vec!["nowhere/1".into()];
    let error = built_in_version("some-bots", &bot).unwrap_err();
    assert_eq!(error.path, Path::new("some-bots"));
    assert_eq!(
        error.cause,
        "the bot `first` of this package plays `nowhere/1`, which this program does not support"
    );
}

#[test]
fn scripts_are_found_by_name_and_by_path() {
    let folder = project();
    let catalogue = catalogue(folder.path());
    let leagues = folder.path().join("leagues");
    let find = |name| catalogue.find("daihinmin/1", name, &leagues).unwrap();
    let by_name = find("greedy");
    assert_eq!(
        (by_name.kind.name(), &*by_name.description),
        ("script", "Plays what it can.")
    );
    let by_path = find("scripts/daihinmin/greedy.lua");
    assert_eq!((by_path.hash, &*by_path.name), (by_name.hash, "greedy"));
    assert_eq!(catalogue.bots().len(), 2);
}

#[test]
fn a_missing_bot_is_reported_with_suggestions() {
    let folder = project();
    let catalogue = catalogue(folder.path());
    let text = write(&folder, "notes.txt", "x");
    for (game, name, start, end) in [
        (
            "daihinmin/1",
            "gredy",
            "no bot `gredy` for daihinmin/1; did you mean `greedy`?; searched ",
            "scripts",
        ),
        (
            "stud/1",
            "timid",
            "`timid` does not play stud/1; it plays daihinmin",
            "",
        ),
        (
            "stud/1",
            "scripts/daihinmin/timid.lua",
            "`scripts/daihinmin/timid.lua` does not play stud/1",
            "it plays daihinmin",
        ),
        (
            "daihinmin/1",
            "scripts/daihinmin/timidd.lua",
            "no such file, tried nowhere/scripts/daihinmin/timidd.lua, ",
            "did you mean `scripts/daihinmin/timid.lua`?",
        ),
        ("daihinmin/1", text.to_str().unwrap(), "is neither a ", ""),
    ] {
        let error = catalogue
            .find(game, name, Path::new("nowhere"))
            .unwrap_err();
        has(&error.to_string(), start);
        has(&error.to_string(), end);
    }
    for name in ["mine/a.lua", "mine/mine.lua"] {
        write(&folder, name, FIRST);
    }
    let games = hattari_agents::games::all();
    let inside = catalogue.find_for_games(&games, "mine", folder.path());
    has(
        &inside.unwrap_err().to_string(),
        "no bot `mine` for any game; did you mean `mine/mine.lua`, `mine/a.lua`?",
    );
}

#[test]
fn a_script_that_does_not_compile_is_listed_with_its_error() {
    let folder = project();
    let path = write(
        &folder,
        "scripts/daihinmin/wrong.lua",
        "return {\n  act = function(view, legal) retrun 1 end,\n}",
    );
    let catalogue = catalogue(folder.path());
    assert_eq!((catalogue.bots().len(), catalogue.broken().len()), (2, 1));
    for name in ["wrong", path.to_str().unwrap()] {
        let error = catalogue
            .find("daihinmin/1", name, Path::new("."))
            .unwrap_err();
        let begin = if name == "wrong" { "`wrong`: " } else { "" };
        assert!(
            error
                .to_string()
                .starts_with(&format!("{begin}{}: line 2: ", path.display())),
            "{error}"
        );
    }
}

/// A large folder of scripts must not make the search slower.
#[test]
fn unused_scripts_are_not_read() {
    let folder = project();
    let catalogue = catalogue(folder.path());
    let read = || {
        let files = catalogue.files.iter();
        files.filter(|file| file.read.get().is_some()).count()
    };
    for (name, is_found) in [("greedy", true), ("gredy", false)] {
        let found = catalogue.find("daihinmin/1", name, Path::new("."));
        assert_eq!((found.is_ok(), read()), (is_found, 1));
    }
    assert_eq!((catalogue.bots().len(), read()), (2, 2));
}

#[test]
fn an_earlier_folder_hides_bots_of_later_folders() {
    let (one, two) = (project(), project());
    write(
        &two,
        "scripts/daihinmin/timid.lua",
        &FIRST.replace('1', "2"),
    );
    write(&two, "scripts/daihinmin/far.lua", FIRST);
    let mut search = SearchPath::default();
    search.add_root(one.path());
    search.add_root(two.path());
    let catalogue = Catalogue::discover(&search);
    let find = |name: &str| catalogue.find("daihinmin/1", name, Path::new(".")).unwrap();
    assert!(find("timid").path.starts_with(one.path()) && find("far").path.starts_with(two.path()));
    let mut hidden: Vec<&FoundBot> = catalogue.bots().iter().collect();
    hidden.retain(|bot| catalogue.hiding_bot(bot).is_some());
    assert_eq!(hidden.len(), 2);
    assert!(hidden.iter().all(|bot| bot.path.starts_with(two.path())));
}

#[test]
fn different_bots_with_the_same_name_and_distance_are_ambiguous() {
    let folder = project();
    // One script is found by the game's name, the other by its revision.
    let copy = "scripts/daihinmin_copies/timid.lua";
    let says_game = "return { bot = { games = { \"daihinmin/1\" } }, act = function(view, legal) return 1 end }";
    for file in ["scripts/daihinmin/timid.lua", copy] {
        write(&folder, file, says_game);
    }
    let find = || catalogue(folder.path()).find("daihinmin/1", "timid", Path::new("."));
    assert!(find().is_ok());
    write(&folder, copy, &says_game.replace("return 1", "return 2"));
    let reason = find().unwrap_err().reason;
    assert!(matches!(&*reason, NotFoundReason::Ambiguous(files) if files.len() == 2));
}

/// A script that uses a service of the poker games and declares two games.
const POKER: &str = "local rate = poker.win_rate return { act = function() return 1 end, \
    bot = { games = { 'daihinmin', 'stud' } } }";

#[test]
fn a_script_is_loaded_with_the_services_of_the_game_that_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "mine.lua", POKER);
    let bot = catalogue(folder.path())
        .find("stud/1", "mine.lua", folder.path())
        .unwrap();
    let factory = bot.agent_factory_with(&AgentSpec::default()).unwrap();
    assert!(factory.open("{}").is_ok());
}

#[test]
fn games_that_a_bot_declares_but_cannot_play_are_errors() {
    let games = hattari_agents::games::all();
    let folder = tempfile::tempdir().unwrap();
    let find = |text: &str| {
        write(&folder, "mine.lua", text);
        catalogue(folder.path()).find_for_games(&games, "mine.lua", folder.path())
    };
    let found = find(POKER).unwrap();
    let [error] = &found.broken[..] else {
        panic!("{:?}", found.broken);
    };
    assert_eq!(
        (found.bots[0].0.name(), &*error.game),
        ("stud", "daihinmin/1")
    );
    has(&error.to_string(), "mine.lua: line 1: attempt to index nil");

    let declares = |games: &str| {
        format!("return {{ act = function() return 1 end, bot = {{ games = {games} }} }}")
    };
    let misspelt = "the bot declares the game `stdu`, which does not exist";
    let found = find(&declares("{ 'daihinmin', 'stdu' }")).unwrap();
    assert_eq!((found.bots.len(), &*found.broken[0].game), (1, "stdu"));
    has(&found.broken[0].to_string(), misspelt);
    let callback = declares("'stud'").replace("act =", "Open = function() end, act =");
    for (text, words) in [
        (declares("'stdu'"), misspelt),
        (callback, "did you mean `open`"),
    ] {
        has(&find(&text).unwrap_err().to_string(), words);
    }
}

#[test]
fn scripts_of_the_same_name_in_the_folders_of_two_games_are_both_found() {
    let folder = project();
    let games = hattari_agents::games::all();
    let find = |stud| {
        write(&folder, "scripts/stud/timid.lua", stud);
        catalogue(folder.path())
            .find_for_games(&games, "timid", Path::new("."))
            .unwrap()
    };
    let found = find(FIRST);
    let names: Vec<&str> = found.bots.iter().map(|(game, _)| game.name()).collect();
    assert_eq!((names, found.broken.len()), (vec!["daihinmin", "stud"], 0));
    let found = find("return 1");
    assert_eq!((found.bots.len(), &*found.broken[0].game), (1, "stud/1"));
}
