//! All known attacks on the script host (`attacks.txt`): their outcome, and that they do not affect
//! the other bots.

use super::table::{
    ask_five, begin, begin_block, open, open_with, play_block, played, start, view,
};
use hattari_agents::agent::reference::First;
use hattari_agents::agent::script::{Script, ScriptLimits};
use hattari_agents::agent::{Agent, AgentError, AgentFactory};
use hattari_agents::record::{FaultKind, Record};
use hattari_agents::table::BlockPlan;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use std::fmt::Write;

/// Limits that are reached quickly.
const LIMITS: ScriptLimits = ScriptLimits {
    steps: 100_000,
    memory: 4 << 20,
};

struct Attack {
    name: &'static str,
    outcome: &'static str,
    source: String,
}

/// Returns the attacks in the table.
fn attacks() -> Vec<Attack> {
    let (_, table) = include_str!("attacks.txt").split_once("\n== ").unwrap();
    let attacks = table.split("\n== ").map(|entry| {
        let (head, body) = entry.split_once('\n').unwrap();
        let (name, outcome) = head.split_once(": ").unwrap();
        let (name, how) = name.split_once(' ').unwrap_or((name, ""));
        let source = match how {
            "" => format!("return {{ act = function(view, legal)\n{body}\nend }}"),
            "file" => body.trim_end().to_owned(),
            "made" => made(name),
            other => panic!("{name}: {other}"),
        };
        Attack {
            name,
            outcome,
            source,
        }
    });
    attacks.collect()
}

/// Returns sources that are too long to be written down.
fn made(name: &str) -> String {
    let nested = |open: &str, inner: &str, close: &str| {
        let depth = ScriptLimits::SOURCE / (open.len() + close.len()) - 10;
        format!(
            "return {}{inner}{}",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    match name {
        "parse_deep_paren" => nested("(", "1", ")"),
        "parse_deep_table" => nested("{", "1", "}"),
        "parse_deep_func" => nested("function() return ", "1", " end"),
        "parse_deep_concat" => nested("'' .. ", "''", ""),
        "parse_deep_unary" => nested("- ", "1", ""),
        "parse_long_chain" => nested("a.", "a", ""),
        "parse_big_source" => {
            let mut text = String::new();
            while text.len() < 20 << 20 {
                writeln!(text, "local x{} = {{ 1, 2, 3 }}", text.len()).unwrap();
            }
            text
        }
        other => panic!("{other}"),
    }
}

/// Returns an agent for an attack, or an error if the script is rejected before it plays.
fn seat(attack: &Attack, limits: ScriptLimits) -> Result<Box<dyn Agent>, AgentError> {
    Script::compile("attack.lua", attack.source.as_bytes())?
        .with_limits(limits)
        .open("{}")
}

/// Returns `true` if an attack has the expected outcome.
fn judge(attack: &Attack, came: &Result<usize, AgentError>) -> bool {
    let fault = |kind: FaultKind, words: &str| {
        came.as_ref().is_err_and(|agent_error| {
            agent_error.kind == kind && agent_error.message.contains(words)
        })
    };
    match attack
        .outcome
        .split_once(' ')
        .unwrap_or((attack.outcome, ""))
    {
        ("steps", "") => fault(
            FaultKind::Time,
            "more than 100000 steps (`lua_steps`), at attack.lua:",
        ),
        // A loop in the function that shows the error leaves no traceback.
        ("steps", "anywhere") => fault(FaultKind::Time, "more than 100000 steps (`lua_steps`)"),
        ("memory", "") => fault(
            FaultKind::Memory,
            "more than 4 MiB of memory (`lua_memory_mb`)",
        ),
        ("error", words) => fault(FaultKind::Error, words),
        ("illegal", "") => fault(FaultKind::IllegalAction, ""),
        ("syntax", "") => fault(FaultKind::Start, "attack.lua"),
        ("plays" | "later", "") | ("absent", _) => came == &Ok(0),
        _ => panic!("{}: no outcome is called `{}`", attack.name, attack.outcome),
    }
}

#[test]
fn every_attack_has_the_expected_outcome() {
    let mut wrong = String::new();
    for attack in attacks() {
        let came = seat(&attack, LIMITS).and_then(|mut agent| {
            start(&mut *agent, 1)?;
            begin(&mut *agent, &view());
            let came = ask_five(&mut *agent).map(|(index, _)| index);
            // The same VM, or a new one, plays the next block as if there had been no attack.
            start(&mut *agent, 1)?;
            begin(&mut *agent, &view());
            let again = ask_five(&mut *agent).map(|(index, _)| index);
            let kind = |outcome: &Result<usize, AgentError>| {
                outcome
                    .as_ref()
                    .map_err(|agent_error| agent_error.kind)
                    .copied()
            };
            assert_eq!(kind(&came), kind(&again), "{}: a second time", attack.name);
            came
        });
        if !judge(&attack, &came) {
            writeln!(
                wrong,
                "{}: {} is expected, it came to {came:?}",
                attack.name, attack.outcome
            )
            .unwrap();
        }
        if let Err(agent_error) = &came {
            let size = agent_error.message.len();
            assert!(
                0 < size && size < 3000,
                "{}: a message of {size} bytes",
                attack.name
            );
        }
        if let Some(names) = attack.outcome.strip_prefix("absent ") {
            for name in names.split(' ') {
                let source = format!(
                    "return {{ act = function() return if {name} == nil then 1 else 2 end }}"
                );
                let mut agent = super::table::seat(&source);
                let (index, _) = ask_five(&mut *agent).unwrap();
                assert_eq!(index, 0, "{}: {name} is there", attack.name);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A script whose play depends on all data that it has received, so that any change of these
/// changes its play.
const HONEST: &str = "
    local seen = 0
    return {
        deal_start = function(view) seen += #view.hand end,
        act = function(view, legal)
            seen = (seen * 31 + #view.hand + #legal + #view.history + math.floor(7.5)) % 65521
            assert(string.format('%d', 3) == '3' and mark == nil and rawget(legal[1], 'mark') == nil and ('x'):upper() == 'X')
            return (seen + math.random(#legal)) % #legal + 1
        end,
        deal_end = function(view, payoffs) seen += payoffs[1] end,
    }";

fn block(agents: &mut [Box<dyn Agent>]) -> Record {
    let plan = BlockPlan {
        deals: 1,
        ..BlockPlan::default()
    };
    play_block::<Daihinmin>(Options::default(), plan, (0, 3), agents)
}

/// Plays a block with two honest scripts, two built-in bots, and one more.
fn with(one_more: Box<dyn Agent>) -> Record {
    let honest = || open(HONEST);
    let first = || Box::new(First::<Daihinmin>::default());
    block(&mut [honest(), one_more, first(), honest(), first()])
}

#[test]
fn attacks_do_not_affect_the_other_bots() {
    // The attacker's actions are replaced by the fault rule: the first action, which the built-in
    // bots also play.
    let alone = with(Box::new(First::<Daihinmin>::default()));
    assert!(alone.faults.is_empty(), "{:?}", alone.faults);
    for attack in attacks() {
        let harmless = attack.outcome == "plays" || attack.outcome.starts_with("absent");
        // Attacks that are stopped do not need large limits.
        let limits = if harmless {
            LIMITS
        } else {
            ScriptLimits {
                steps: 10_000,
                memory: 2 << 20,
            }
        };
        let Ok(agent) = seat(&attack, limits) else {
            continue;
        };
        let record = with(agent);
        assert_eq!(played(&record), alone, "{}", attack.name);
        assert!(
            record.faults.iter().all(|fault| fault.entrant == 1),
            "{}: {:?}",
            attack.name,
            record.faults
        );
        assert_eq!(
            record.faults.is_empty(),
            harmless,
            "{}: {:?}",
            attack.name,
            record.faults
        );
    }
}

/// Two bots of one script on one thread, and two of different scripts: no state is shared.
#[test]
fn no_state_is_shared_between_bots() {
    let leaks = [
        ("a global", "mark = 1", "mark"),
        (
            "a global of the environment",
            "rawset(_G, 'mark', 1)",
            "rawget(_G, 'mark')",
        ),
        (
            "math.floor",
            "math.floor = function() return 666 end",
            "if math.floor(7.5) ~= 7 then 1 else nil",
        ),
        (
            "string.format",
            "string.format = function() return 'EVIL' end",
            "if string.format('%d', 7) ~= '7' then 1 else nil",
        ),
        (
            "texts",
            "getmetatable('').__index = { upper = print }",
            "if ('x'):upper() ~= 'X' then 1 else nil",
        ),
        (
            "globals through getfenv",
            "getmetatable(getfenv(0)).__index.mark = 1",
            "mark",
        ),
        (
            "a shared metatable",
            "getmetatable(_G).__index.mark = 1",
            "mark",
        ),
        (
            "an action",
            "rawset(legal[1], 'mark', 1)",
            "rawget(legal[1], 'mark')",
        ),
        (
            "what actions share",
            "getmetatable(legal[1]).mark = 1",
            "getmetatable(legal[1]).mark",
        ),
        ("the cards", "cards.mark = 1", "cards.mark"),
        ("the config", "config.mark = 1", "config.mark"),
        ("a library", "table.mark = 1", "table.mark"),
    ];
    for (what, attack, look) in leaks {
        let source = format!(
            "return {{ act = function(view, legal)
                if math.random() < 2 and info then pcall(function() {attack} end) end
                info = true
                local found = {look}
                return if found == nil then 1 else 2
            end }}"
        );
        // The attacker acts twice and attacks the second time. The victim has the same source and
        // only looks.
        let (mut attacker, mut victim) = (
            open_with(&source, LIMITS, "{}"),
            open_with(&source, LIMITS, "{}"),
        );
        for agent in [&mut attacker, &mut victim] {
            begin_block(&mut **agent, 1);
        }
        for _ in 0..2 {
            ask_five(&mut *attacker).unwrap_or_default();
        }
        let (index, _) = ask_five(&mut *victim).unwrap();
        assert_eq!(index, 0, "{what} leaks from one bot to another");
        // The attack does not affect the attacker's own next block.
        begin_block(&mut *attacker, 1);
        let (index, _) = ask_five(&mut *attacker).unwrap();
        assert_eq!(index, 0, "{what} leaks from one block to the next");
    }
}
