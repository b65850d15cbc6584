//! Attacks that once reached the memory of the host. Each would crash this process.

use super::table::{ask, begin_block, five, open_with, single, view};
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_plugin::games::daihinmin::{Action, Event, card, event};
use std::fs;

/// Step limit that none of these attacks reaches.
const LIMITS: ScriptLimits = ScriptLimits {
    steps: 100_000_000,
    memory: 16 << 20,
};

/// Returns events with different actions: every single card.
fn history() -> Vec<Event> {
    let names = (0..=u8::MAX).filter_map(card::name);
    let played = names.map(|name| Event {
        kind: event::ACTION,
        action: single(name),
        ..bytemuck::Zeroable::zeroed()
    });
    played.collect()
}

/// Plays blocks in which every decision is answered with the first action.
fn play(agent: &mut dyn Agent, blocks: u64) {
    for seed in 0..blocks {
        begin_block(agent, seed);
        for actions in [five(), vec![Action::PASS, single("HT")]] {
            let answer = ask(agent, &view(), &history(), &actions);
            let answer = answer.map_err(|agent_error| agent_error.message);
            assert_eq!(answer, Ok((0, 0)));
        }
    }
}

/// A reset restores the native code of a helper file only if it has not been freed.
#[test]
fn a_script_can_discard_require_and_its_helper_files() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.lua");
    let text = "
        local helper = require('helper')
        local value = helper(3)
        helper, require = nil, nil
        local function collect()
            for i = 1, 200 do local t = table.create(10000, i) end
        end
        collect()
        return { act = function(view, legal) collect() return value - 5 end, deal_start = collect }";
    fs::write(&main, text).unwrap();
    let helper = "return function(n) local sum = 0 for i = 1, n do sum += i end return sum end";
    fs::write(folder.path().join("helper.lua"), helper).unwrap();
    let script = Script::load(&main).unwrap().with_limits(LIMITS);
    play(&mut *script.open("{}").unwrap(), 5);
}

/// The host builds tables of new actions while the script runs. If an error interrupts this, the
/// next call builds the same tables.
#[test]
fn an_error_while_the_host_builds_tables_leaves_no_partial_tables() {
    let deep = [
        "local function deep(n, view)
            if n == 0 then return #view.history end
            return (deep(n - 1, view))
        end
        local first, last = 20010, 19970",
        "local function deep(n, view)
            if n == 0 then return #view.history end
            string.gsub('a', 'a', function() deep(n - 1, view) end)
        end
        local first, last = 210, 170",
    ];
    for deep in deep {
        let source = format!(
            "{deep}
            return {{ act = function(view, legal)
                for depth = first, last, -1 do pcall(deep, depth, view) end
                local seen = {{}}
                for number, event in view.history do
                    local action = event.action
                    assert(table.isfrozen(action) and not seen[action], 'another table')
                    assert(#action.cards == 1 and not seen[action.cards[1]], 'another card')
                    seen[action], seen[action.cards[1]] = true, true
                end
                assert(table.isfrozen(legal[1]) and (not legal[3] or legal[2].cards[1] == 'S3'))
                return 1
            end }}"
        );
        play(&mut *open_with(&source, LIMITS, "{}"), 2);
    }
}

/// Calls of functions that would be inlined into one another, and constants that the compiler
/// computes, once made gigabytes of code of a few kilobytes of source.
#[test]
fn small_sources_do_not_compile_to_large_code() {
    let mut calls = String::from("local x = 0 local function a() x += 1 end\n");
    for (function, called) in ["b", "c", "d", "e", "f"]
        .iter()
        .zip(["a", "b", "c", "d", "e"])
    {
        let body = format!("{called}() ").repeat(9);
        calls += &format!("local function {function}() {body}end\n");
    }
    calls += &format!(
        "local function top() {}end\nreturn {{ act = function() return 1 end }}",
        "f() ".repeat(500)
    );
    assert!(Script::compile("calls.lua", calls.as_bytes()).is_ok());
    let long = format!("local a = '{}'\n", "x".repeat(4000));
    let constants = (0..2000).map(|number| format!("local _ = a .. '{number}'\n"));
    let source = format!("{long}do {} end", constants.collect::<String>());
    match Script::compile(
        "constants.lua",
        source.replace("local _", "_G.x").as_bytes(),
    ) {
        Ok(_) => panic!("the constants are not computed any more"),
        Err(error) => assert!(error.message.contains("KiB of compiled code"), "{error:?}"),
    }
}
