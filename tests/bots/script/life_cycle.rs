//! The life cycle of a script: its state at the start of a block, during it, and afterwards.

use super::table::{
    ask_five, begin, begin_block, check_errors, error_line, open, open_with, seat, start, view,
};
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{Agent, AgentFactory, BlockStart, BotInfo, Notice};
use hattari_agents::record::FaultKind;

/// Returns the first line of the error of the script's answer. The scripts of these tests return
/// their results as errors.
fn said(agent: &mut dyn Agent) -> String {
    let agent_error = ask_five(agent).unwrap_err();
    error_line(agent_error.kind, &agent_error.message)
}

#[test]
fn config_is_available_as_a_global_and_as_the_argument() {
    let source = "local same = ... == config
        return { act = function()
            error(`{same} {config.greed} {config.list[2]} {config.deep.yes} {config.none} {table.isfrozen(config.deep)}`, 0)
        end }";
    let json = r#"{"greed": 0.25, "list": [1, "two"], "deep": {"yes": true}, "none": null}"#;
    let mut agent = open_with(source, ScriptLimits::default(), json);
    begin_block(&mut *agent, 1);
    assert_eq!(said(&mut *agent), "true 0.25 two true nil true");
    // Without a config it is an empty table.
    let mut agent =
        seat("return { act = function() error(`{type(config)} {next(config)}`, 0) end }");
    assert_eq!(said(&mut *agent), "table nil");
    let script = Script::compile("test.lua", b"return { act = print }").unwrap();
    assert!(
        script
            .open("{greed: 1}")
            .err()
            .unwrap()
            .message
            .contains("config is not JSON")
    );
}

#[test]
fn block_start_and_deal_start_receive_their_data() {
    let mut agent = seat(
        "local told
        return {
            block_start = function(info)
                told = `{info.game} {info.players} {info.player} {info.deals} {info.options.eight_cut} {info.options.points[1]}`
            end,
            deal_start = function(view) told ..= ` / {view.seat} {#view.hand} {#view.history}` end,
            act = function() error(told, 0) end,
        }",
    );
    assert_eq!(said(&mut *agent), "daihinmin/1 5 3 9 true 5 / 3 5 0");
    begin(&mut *agent, &view());
    assert_eq!(
        said(&mut *agent),
        "daihinmin/1 5 3 9 true 5 / 3 5 0 / 3 5 0"
    );
}

#[test]
fn scripts_that_cannot_start_report_the_reason() {
    let refused = |source: &str| {
        let started = Script::compile("mine.lua", source.as_bytes()).and_then(|script| {
            let mut agent = script.open("{}")?;
            start(&mut *agent, 1)
        });
        let agent_error = started.expect_err(source);
        assert_eq!(agent_error.kind, FaultKind::Start, "{source}");
        agent_error.message
    };
    let cases = [
        ("return {", "mine.lua:1: "),
        ("local x = = 1", "mine.lua:1: "),
        (
            "return 1",
            "must return a table with a function `act` (got number)",
        ),
        ("", "must return a table with a function `act` (got nil)"),
        ("return {}", "no function `act`"),
        ("return { act = 1 }", "no function `act`"),
        ("\n\nerror('no good')", "mine.lua:3: no good"),
        ("while true do end", "steps at the start of the block"),
        (
            "return { act = print, bot = { games = 'go' } }",
            "plays go, not daihinmin/1",
        ),
        ("return { act = print, bot = 1 }", "`bot` must be a table"),
        (
            "return { act = print, bot = { version = {} } }",
            "`bot.version` must be a string",
        ),
        (
            "return { act = print, block_start = function() error('refused') end }",
            "mine.lua:1: refused",
        ),
        (
            "return { act = print, deal_end = 7 }",
            "`deal_end` must be a function, not number",
        ),
        (
            "return { act = print, exchange = true }",
            "`exchange` must be a function, not boolean",
        ),
        ("\0return 1", "not UTF-8 text"),
        ("\u{1b}Lua", "mine.lua"),
    ];
    check_errors(refused, &cases);
    let script =
        Script::compile("mine.lua", b"local s = 'x' while true do s = s .. s end").unwrap();
    assert_eq!(script.open("{}").err().unwrap().kind, FaultKind::Memory);
    assert!(
        Script::compile("mine.lua", &[0xff, 0xfe])
            .unwrap_err()
            .message
            .contains("UTF-8")
    );
    assert!(
        Script::compile("mine.lua", &vec![b' '; 300_000])
            .unwrap_err()
            .message
            .contains("KiB of source")
    );
    let mut agent = open("return { act = print }");
    let start = BlockStart {
        game: "go/1",
        options_json: "{}",
        players: 5,
        player: 0,
        deals: 1,
        seed: 1,
    };
    assert!(
        agent
            .notify(&Notice::BlockStart(start))
            .unwrap_err()
            .message
            .contains("cannot play go/1")
    );
}

/// Numbers are drawn while the script is loaded, or at a decision.
#[test]
fn random_numbers_depend_only_on_the_seed_of_the_block() {
    for source in [
        "return { act = function() error(`{math.random()} {math.random(1000)}`, 0) end }",
        "local drawn = math.random(1e9) return { act = function() error(drawn, 0) end }",
    ] {
        let draw = |agent: &mut dyn Agent, seed| {
            begin_block(agent, seed);
            [said(agent), said(agent)]
        };
        let (mut one, mut other) = (open(source), open(source));
        let first = draw(&mut *one, 5);
        assert_ne!(first, draw(&mut *one, 6));
        assert_ne!(
            first,
            draw(&mut *one, 5 + (1 << 40)),
            "all of the seed counts"
        );
        assert_eq!(first, draw(&mut *one, 5), "the block again");
        draw(&mut *other, 3);
        assert_eq!(first, draw(&mut *other, 5), "whatever was played before");
    }
}

#[test]
fn scripts_can_declare_version_description_and_games() {
    let about = |source: &str| {
        Script::compile("mine.lua", source.as_bytes())
            .unwrap()
            .about()
    };
    let plain = about("return { act = print }").unwrap();
    assert_eq!(plain, BotInfo::default());
    let full = about(
        "return { act = print, bot = { version = '1.2', description = 'Wants all.', games = { 'daihinmin' } } }",
    )
    .unwrap();
    assert_eq!(
        (full.version.as_str(), full.description.as_str()),
        ("1.2", "Wants all.")
    );
    assert_eq!(full.games, ["daihinmin"]);
}
