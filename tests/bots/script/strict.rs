//! Unknown names: fields of a script's data, and callbacks that the host never calls.

use super::table::{ask, begin_block, check_errors, error_line, five, open, seat, single, view};
use hattari_agents::agent::AgentFactory;
use hattari_agents::agent::script::Script;
use hattari_agents::record::FaultKind;
use hattari_plugin::games::daihinmin::{Event, event};

/// Returns the first line of the error of a script that evaluates `expression` in its decision.
fn told(expression: &str) -> String {
    let mut agent = seat(&format!(
        "return {{ act = function(view, legal)\n    local seen = {expression}\n    return 1\nend }}"
    ));
    let played = Event {
        seat: 1,
        kind: event::ACTION,
        action: single("S4"),
        ..bytemuck::Zeroable::zeroed()
    };
    let answer = ask(&mut *agent, &view(), &[played], &five());
    let agent_error = answer.expect_err(expression);
    error_line(agent_error.kind, &agent_error.message)
}

#[test]
fn a_field_that_does_not_exist_is_an_error_with_the_nearest_name() {
    let cases = [
        (
            "view.revoluton",
            "test.lua:2: the view has no field `revoluton`: did you mean `revolution`?",
        ),
        (
            "view.handd",
            "test.lua:2: the view has no field `handd`: did you mean `hand`?",
        ),
        (
            "view.histroy",
            "test.lua:2: the view has no field `histroy`: did you mean `history`?",
        ),
        (
            "view.pot",
            "test.lua:2: the view has no field `pot`: it has `",
        ),
        (
            "view[1]",
            "test.lua:2: the view is not a list: read its fields by name",
        ),
        (
            "legal[2].cout",
            "test.lua:2: an action has no field `cout`: did you mean `count`?",
        ),
        (
            "legal[2].txt",
            "test.lua:2: an action has no field `txt`: did you mean `text`?",
        ),
        (
            "legal[2].effects.lok",
            "test.lua:2: this set of flags has no field `lok`: did you mean `lock`?",
        ),
        (
            "view.rules.sequence",
            "test.lua:2: this set of flags has no field `sequence`: did you mean `sequences`?",
        ),
        (
            "view.history[1].sate",
            "test.lua:2: an event has no field `sate`: did you mean `seat`?",
        ),
        (
            "view.history[1].action.knd",
            "test.lua:2: an action has no field `knd`: did you mean `kind`?",
        ),
    ];
    check_errors(told, &cases);
}

#[test]
fn optional_fields_can_be_nil() {
    let source = "return { act = function(view, legal)
        local copy = table.clone(legal[2])
        assert(view.table == nil and view.table_seat == nil and legal[2].joker == nil and view.history[1].place == nil)
        assert(copy.score == nil and rawget(view, 'notes') == nil)
        copy.score = 1
        for i = 1, 2 do assert(view.titles[1] == false and view.points[9] == nil) end
        return 2
    end }";
    let mut agent = seat(source);
    let played = Event {
        seat: 1,
        kind: event::ACTION,
        action: single("S4"),
        place: 0xff,
        ..bytemuck::Zeroable::zeroed()
    };
    for _ in 0..2 {
        for _ in 0..2 {
            let answer = ask(&mut *agent, &view(), &[played], &five());
            assert_eq!(answer, Ok((1, 0)));
        }
        begin_block(&mut *agent, 2);
    }
}

/// Returns the error for a script's table when it is loaded.
fn opened(table: &str) -> Result<(), String> {
    let source = format!("local function helper() return 1 end\nreturn {{\n{table}\n}}");
    let script = Script::compile("test.lua", source.as_bytes()).expect("it compiles");
    script.open("{}").map(drop).map_err(|agent_error| {
        assert_eq!(agent_error.kind, FaultKind::Start);
        agent_error.message
    })
}

#[test]
fn misspelt_callbacks_are_errors_with_a_suggestion() {
    let cases = [
        (
            "act = helper, Exchange = helper",
            "test.lua:1: unknown callback `Exchange`: did you mean `exchange`?",
        ),
        (
            "act = helper,\ndealEnd = function() end",
            "test.lua:4: unknown callback `dealEnd`: did you mean `deal_end`?",
        ),
        (
            "act = helper, BLOCK_START = helper",
            "test.lua:1: unknown callback `BLOCK_START`: did you mean `block_start`?",
        ),
        (
            "Act = helper",
            "test.lua:1: unknown callback `Act`: did you mean `act`?",
        ),
        (
            "Act = helper, bot = { games = { 'holdem' } }",
            "(known: `act`, `block_start`, `deal_start`, `deal_end`)",
        ),
        (
            "Act = helper, bot = { games = { 'daihinmin' } }",
            "`deal_end`, `exchange`)",
        ),
        (
            "act = helper, Tests = {}",
            "test.lua: unknown table `Tests`: did you mean `tests`?",
        ),
    ];
    check_errors(|table| opened(table).expect_err(table), &cases);
    for table in [
        "act = helper",
        "act = helper, helper = helper, weakest = helper, best = helper, swap = helper",
        "act = helper, exchange = helper, exchange2 = helper, fact = helper",
        "act = helper, Exchange = helper, bot = { games = { 'holdem' } }",
        "act = helper, Exchange = 1, Tests = 'x', notes = {}",
        "act = helper, Act = helper",
    ] {
        assert_eq!(opened(table), Ok(()), "{table}");
    }
    // The first table has no other errors.
    drop(open("return { act = function() return 1 end }"));
}
