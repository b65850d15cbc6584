//! Tests of finding bots by name and by path.

use super::found::built_in_version;
use super::*;
use crate::mock::has;
use hattari_agents::agent::BotInfo;
use std::fs;
use std::path::Path;

const FIRST: &str = "return { act = function(view, legal) return 1 end }";

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let scripts = folder.path().join("scripts/daihinmin");
    fs::create_dir_all(&scripts).unwrap();
    fs::write(
        scripts.join("greedy.lua"),
        format!("--!strict\n-- Plays what it can.\n{FIRST}"),
    )
    .unwrap();
    fs::write(scripts.join("timid.lua"), FIRST).unwrap();
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
    let by_name = catalogue
        .find("daihinmin/1", "greedy", Path::new("."))
        .unwrap();
    assert_eq!(
        (by_name.kind.name(), by_name.description.as_str()),
        ("script", "Plays what it can.")
    );
    let leagues = folder.path().join("leagues");
    let by_path = catalogue
        .find("daihinmin/1", "scripts/daihinmin/greedy.lua", &leagues)
        .unwrap();
    assert_eq!(
        (by_path.hash, by_path.name.as_str()),
        (by_name.hash, "greedy")
    );
    assert_eq!(catalogue.bots().len(), 2);
}

#[test]
fn a_missing_bot_is_reported_with_suggestions() {
    let folder = project();
    let catalogue = catalogue(folder.path());
    let say = |game: &str, name: &str| {
        catalogue
            .find(game, name, Path::new("nowhere"))
            .unwrap_err()
            .to_string()
    };
    let wrong = say("daihinmin/1", "gredy");
    assert!(
        wrong.starts_with("no bot `gredy` for daihinmin/1; did you mean `greedy`?; searched "),
        "{wrong}"
    );
    has(&wrong, "scripts");
    assert_eq!(
        say("stud/1", "timid"),
        "`timid` does not play stud/1; it plays daihinmin"
    );
    assert!(say("stud/1", "scripts/daihinmin/timid.lua").ends_with("it plays daihinmin"));
    let file = say("daihinmin/1", "scripts/daihinmin/timidd.lua");
    has(
        &file,
        "no such file, tried nowhere/scripts/daihinmin/timidd.lua, ",
    );
    assert!(
        file.ends_with("did you mean `scripts/daihinmin/timid.lua`?"),
        "{file}"
    );
    fs::create_dir(folder.path().join("mine")).unwrap();
    for name in ["a", "mine"] {
        fs::write(folder.path().join(format!("mine/{name}.lua")), FIRST).unwrap();
    }
    let games = hattari_agents::games::all();
    let inside = catalogue
        .find_for_games(&games, "mine", folder.path())
        .unwrap_err()
        .to_string();
    has(
        &inside,
        "no bot `mine` for any game; did you mean `mine/mine.lua`, `mine/a.lua`?",
    );
    let text = folder.path().join("notes.txt");
    fs::write(&text, "x").unwrap();
    assert!(say("daihinmin/1", text.to_str().unwrap()).contains("is neither a "));
}

#[test]
fn a_script_that_does_not_compile_is_listed_with_its_error() {
    let folder = project();
    let path = folder.path().join("scripts/daihinmin/wrong.lua");
    fs::write(
        &path,
        "return {\n  act = function(view, legal) retrun 1 end,\n}",
    )
    .unwrap();
    let catalogue = catalogue(folder.path());
    assert_eq!((catalogue.bots().len(), catalogue.broken().len()), (2, 1));
    for name in ["wrong", path.to_str().unwrap()] {
        let message = catalogue
            .find("daihinmin/1", name, Path::new("."))
            .unwrap_err()
            .to_string();
        let begin = if name == "wrong" { "`wrong`: " } else { "" };
        assert!(
            message.starts_with(&format!("{begin}{}: line 2: ", path.display())),
            "{message}"
        );
    }
}

/// A large folder of scripts must not make the search slower.
#[test]
fn unused_scripts_are_not_read() {
    let folder = project();
    let catalogue = catalogue(folder.path());
    let read = || {
        catalogue
            .files
            .iter()
            .filter(|file| file.read.get().is_some())
            .count()
    };
    catalogue
        .find("daihinmin/1", "greedy", Path::new("."))
        .unwrap();
    assert_eq!(read(), 1);
    catalogue
        .find("daihinmin/1", "gredy", Path::new("."))
        .unwrap_err();
    assert_eq!(read(), 1);
    assert_eq!((catalogue.bots().len(), read()), (2, 2));
}

#[test]
fn an_earlier_folder_hides_bots_of_later_folders() {
    let (one, two) = (project(), project());
    fs::write(
        two.path().join("scripts/daihinmin/timid.lua"),
        FIRST.replace('1', "2"),
    )
    .unwrap();
    fs::write(two.path().join("scripts/daihinmin/far.lua"), FIRST).unwrap();
    let mut search = SearchPath::default();
    search.add_root(one.path());
    search.add_root(two.path());
    let catalogue = Catalogue::discover(&search);
    let find = |name: &str| catalogue.find("daihinmin/1", name, Path::new(".")).unwrap();
    assert!(find("timid").path.starts_with(one.path()) && find("far").path.starts_with(two.path()));
    let hidden: Vec<&FoundBot> = catalogue
        .bots()
        .iter()
        .filter(|bot| catalogue.hiding_bot(bot).is_some())
        .collect();
    assert_eq!(hidden.len(), 2);
    assert!(hidden.iter().all(|bot| bot.path.starts_with(two.path())));
}

#[test]
fn different_bots_with_the_same_name_and_distance_are_ambiguous() {
    let folder = project();
    // One script is found by the game's name, the other by its revision.
    let other = folder.path().join("scripts/daihinmin_copies");
    fs::create_dir_all(&other).unwrap();
    let says_game = "return { bot = { games = { \"daihinmin/1\" } }, act = function(view, legal) return 1 end }";
    for folder in [&folder.path().join("scripts/daihinmin"), &other] {
        fs::write(folder.join("timid.lua"), says_game).unwrap();
    }
    let find = || catalogue(folder.path()).find("daihinmin/1", "timid", Path::new("."));
    assert!(find().is_ok());
    fs::write(
        other.join("timid.lua"),
        says_game.replace("return 1", "return 2"),
    )
    .unwrap();
    let reason = find().unwrap_err().reason;
    assert!(matches!(&*reason, NotFoundReason::Ambiguous(files) if files.len() == 2));
}

/// A script that uses a service of the poker games and declares two games.
const POKER: &str = "local rate = poker.win_rate return { act = function() return 1 end, \
    bot = { games = { 'daihinmin', 'stud' } } }";

#[test]
fn a_script_is_loaded_with_the_services_of_the_game_that_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.lua"), POKER).unwrap();
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
        fs::write(folder.path().join("mine.lua"), text).unwrap();
        catalogue(folder.path()).find_for_games(&games, "mine.lua", folder.path())
    };
    let found = find(POKER).unwrap();
    let [(game, error)] = &found.broken[..] else {
        panic!("{:?}", found.broken);
    };
    assert_eq!((found.bots[0].0.name(), &**game), ("stud", "daihinmin/1"));
    has(&error.to_string(), "mine.lua: line 1: attempt to index nil");

    let declares = |games: &str| {
        format!("return {{ act = function() return 1 end, bot = {{ games = {games} }} }}")
    };
    let misspelt = "the bot declares the game `stdu`, which does not exist";
    let found = find(&declares("{ 'daihinmin', 'stdu' }")).unwrap();
    assert_eq!((found.bots.len(), &*found.broken[0].0), (1, "stdu"));
    has(&found.broken[0].1.to_string(), misspelt);
    has(
        &find(&declares("'stdu'")).unwrap_err().to_string(),
        misspelt,
    );

    let callback = declares("'stud'").replace("act =", "Open = function() end, act =");
    has(
        &find(&callback).unwrap_err().to_string(),
        "did you mean `open`",
    );
}

#[test]
fn scripts_of_the_same_name_in_the_folders_of_two_games_are_both_found() {
    let folder = project();
    let games = hattari_agents::games::all();
    let stud = folder.path().join("scripts/stud");
    fs::create_dir_all(&stud).unwrap();
    let find = || catalogue(folder.path()).find_for_games(&games, "timid", Path::new("."));
    fs::write(stud.join("timid.lua"), FIRST).unwrap();
    let found = find().unwrap();
    let names: Vec<&str> = found.bots.iter().map(|(game, _)| game.name()).collect();
    assert_eq!((names, found.broken.len()), (vec!["daihinmin", "stud"], 0));
    fs::write(stud.join("timid.lua"), "return 1").unwrap();
    let found = find().unwrap();
    assert_eq!((found.bots.len(), &*found.broken[0].0), (1, "stud/1"));
}
