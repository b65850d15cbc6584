//! A JSON Schema of league files, for editors.
//!
//! The parser says what a league is; a schema cannot say all of that (who is named must be there,
//! sizes must fit). What it says is written here from the parser's own lists and bounds; its tests
//! ask the parser for the keys and words that it knows, place by place, and compare.

use super::check::KEYS;
use super::formats::KINDS;
use super::sequential::RULES;
use super::sweep::SWEEP_MAX;
use super::{BLOCKS_MAX, DEALS_MAX, ENTRANTS_MAX, NAME_MAX, THREADS_MAX};
use hattari_agents::games::{self, Facts};
use hattari_contests::PROTOCOLS;
use serde_json::{Map, Value, json};

/// The schema, in draft 2020-12.
#[must_use]
pub fn schema() -> Value {
    let games = games::all();
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let properties: Map<String, Value> = KEYS
        .iter()
        .map(|&key| (key.to_owned(), root(key, &names)))
        .collect();
    let per_game: Vec<Value> = games.iter().map(|game| of_game(game)).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A league of Hattari",
        "description": "Who plays what against whom, how often, and what counts.",
        "type": "object",
        "properties": properties,
        "required": ["game", "entrants", "format", "blocks"],
        "additionalProperties": false,
        "allOf": per_game,
    })
}

/// A key of the league itself.
fn root(key: &str, games: &[&str]) -> Value {
    match key {
        "game" => described(words(games), "The game."),
        "preset" => described(text(), "Preset of the rules that the options start from."),
        "options" => {
            json!({"type": "object", "description": "Options of the rules; `hattari show rules GAME` tells them."})
        }
        "seed" => described(whole(0, u64::MAX), "Root of all chance; 1 without it."),
        "entrants" => json!({
            "type": "array", "minItems": 1, "maxItems": ENTRANTS_MAX, "items": entrant(),
            "description": "Who takes part; names differ.",
        }),
        "on_error" => described(
            words(&["exclude", "stop"]),
            "What an entrant does whose bot cannot be found or started: it is left out, or the league is not played.",
        ),
        "format" => format(),
        "blocks" => described(
            whole(1, BLOCKS_MAX.into()),
            "Blocks that each line-up plays.",
        ),
        "deals" => described(
            whole(1, DEALS_MAX.into()),
            "Deals of a block; without it the game's usual number.",
        ),
        "duplicate" => described(
            flag(),
            "Every deal is played once for each rotation of the line-up round the table.",
        ),
        "same_deals" => described(
            flag(),
            "The same block of every line-up is dealt the same cards.",
        ),
        "faults" => described(
            words(&["forfeit", "substitute", "stop"]),
            "What a fault costs.",
        ),
        "restarts" => described(
            whole(0, DEALS_MAX.into()),
            "Times that a bot whose instance has died is started anew in a block.",
        ),
        "isolation" => isolation(),
        "budget" => budget("What bots may use."),
        "sequential" => sequential(),
        "report" => report(),
        other => unreachable!("a key of leagues that the schema does not know: {other}"),
    }
}

/// Limits of bots.
fn budget(what: &str) -> Value {
    object(
        what,
        &[
            (
                "decision_ms",
                above(0.0, Some(3_600_000.0)),
                "Milliseconds for a decision.",
            ),
            (
                "block_ms",
                above(0.0, Some(604_800_000.0)),
                "Milliseconds for a block.",
            ),
            (
                "memory_mb",
                whole(1, 1_048_576),
                "MiB of memory of a compiled bot in a process of its own, or of a program.",
            ),
            (
                "lua_steps",
                whole(1000, u32::MAX.into()),
                "Steps of a script for a decision.",
            ),
            (
                "lua_memory_mb",
                whole(1, 65_536),
                "MiB of memory of a script.",
            ),
            (
                "wasm_fuel",
                whole(100_000, 1_000_000_000_000),
                "Fuel of a module of WebAssembly for a decision.",
            ),
        ],
        &[],
    )
}

/// What hangs on the game: presets and options.
fn of_game(game: &Facts) -> Value {
    let default = game
        .presets
        .first()
        .and_then(|preset| game.in_force(preset, &[]).ok());
    let options = default
        .and_then(|rules| rules.options.as_object().cloned())
        .unwrap_or_default();
    let luck = game
        .presets
        .first()
        .map(|preset| game.in_force(preset, &[("luck".to_owned(), "double-dummy".into())]));
    let measured = luck.is_some_and(|rules| rules.is_ok()).then_some("luck");
    let options: Map<String, Value> = (options.into_iter())
        .map(|(name, value)| {
            (
                name,
                json!({"description": format!("Without it {value}, but for presets.")}),
            )
        })
        // An option that presets leave empty may not stand in them.
        .chain(game.option_from_file("deals", "").map(|_| {
            (
                "deals".to_owned(),
                described(json!({}), "Deals to be played in turn."),
            )
        }))
        .chain(measured.map(|name| {
            (
                name.to_owned(),
                described(words(&["none", "double-dummy"]), "How luck is measured."),
            )
        }))
        .collect();
    json!({
        "if": {"properties": {"game": {"const": game.name()}}, "required": ["game"]},
        "then": {"properties": {
            "preset": words(game.presets),
            "options": {"properties": options, "additionalProperties": false},
        }},
    })
}

fn entrant() -> Value {
    let protocols: Vec<&str> = PROTOCOLS
        .iter()
        .map(|protocol| protocol.handshake.name)
        .collect();
    let mut name = text();
    name["maxLength"] = json!(NAME_MAX);
    let setting = json!({"type": ["number", "string", "boolean"]});
    let values = json!({"type": "array", "minItems": 1, "maxItems": SWEEP_MAX, "uniqueItems": true, "items": setting});
    let sweep = json!({"type": "object", "minProperties": 1, "additionalProperties": values});
    let words_of_command =
        json!({"type": "array", "minItems": 1, "items": {"type": ["string", "integer"]}});
    let mut bot = object(
        "A bot with its settings.",
        &[
            ("name", name.clone(), "Its name in this league."),
            ("kind", words(&["bot"]), "A bot, as without this key."),
            (
                "bot",
                text(),
                "The name of a bot; the path of a script, library or module, with `#id` where it holds several; or a pattern, as in `entries/*.lua`: \
                 an entrant of every file.",
            ),
            (
                "command",
                words_of_command.clone(),
                "In place of `bot`: a program that plays, with its arguments.",
            ),
            (
                "folder",
                text(),
                "The folder that it runs in, from the league's.",
            ),
            ("config", json!({"type": "object"}), "Settings for the bot."),
            (
                "sweep",
                sweep,
                "Settings, each with a list of values: an entrant is made of every combination.",
            ),
            (
                "isolation",
                isolation(),
                "Where a compiled bot runs, and whether a program is held.",
            ),
            (
                "threads",
                whole(0, THREADS_MAX.into()),
                "Threads that a compiled bot in a process of its own may start.",
            ),
            (
                "budget",
                budget(""),
                "What it may use, where that is not as the league says.",
            ),
        ],
        &[],
    );
    bot["anyOf"] = json!([{"required": ["bot"]}, {"required": ["name", "command"]}]);
    let address = json!({"anyOf": [whole(1, 65_535), text()]});
    let client = object(
        "A program that connects by the protocol of its contest.",
        &[
            ("name", name.clone(), "Its name in this league."),
            ("kind", words(&protocols), "The protocol that it speaks."),
            (
                "listen",
                address,
                "The port, or the address with its port, that it comes to.",
            ),
            (
                "command",
                words_of_command,
                "The program that the league starts, with its arguments.",
            ),
            (
                "folder",
                text(),
                "The folder that it runs in, from the league's.",
            ),
            (
                "start_s",
                whole(1, 86_400),
                "Seconds that it is waited for.",
            ),
            (
                "budget",
                budget(""),
                "What it may use, where that is not as the league says.",
            ),
        ],
        &["name", "kind"],
    );
    // Which of the two an entrant is hangs on its kind, so that an editor tells what is wrong with
    // that one.
    let is_client = json!({"properties": {"kind": words(&protocols)}, "required": ["kind"]});
    json!({"if": {"type": "object"}, "then": {"if": is_client, "then": client, "else": bot}, "else": text()})
}

fn format() -> Value {
    let one = |kind: &str| json!({"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": format_of(kind)});
    json!({
        "type": "object",
        "description": "Who meets whom.",
        "properties": {"kind": words(KINDS)},
        "required": ["kind"],
        "allOf": KINDS.iter().map(|kind| one(kind)).collect::<Vec<_>>(),
    })
}

/// The keys of a format.
fn format_of(kind: &str) -> Value {
    let names = json!({"type": "array", "minItems": 1, "uniqueItems": true, "items": text()});
    let seats = json!({"type": "array", "items": text()});
    let rounds = |least| json!({"type": "object", "additionalProperties": whole(least, 1_000_000)});
    let size = whole(2, 64);
    let groups = json!({"type": "array", "items": names});
    let a = ("a", names.clone(), "One side.");
    let b = ("b", names.clone(), "The other side.");
    let field = ("field", seats.clone(), "The others at the table.");
    let seated = ("size", size, "Players of a table.");
    let late = ("late", rounds(2), "The round in which an entrant joins.");
    let withdrawn = (
        "withdrawn",
        rounds(1),
        "The last round of an entrant that leaves.",
    );
    let (keys, required): (Vec<(&str, Value, &str)>, &[&str]) = match kind {
        "line-ups" => {
            let size = ("size", whole(1, 64), "Players of a table.");
            let sample = (
                "sample",
                whole(1, u32::MAX.into()),
                "Line-ups that are drawn of all.",
            );
            (
                vec![
                    size,
                    sample,
                    (
                        "require",
                        groups,
                        "Groups of which every line-up has one at least.",
                    ),
                ],
                &["size"],
            )
        }
        "duel" => (vec![a, b, field], &["a", "b"]),
        "pairs" => (vec![a, b], &["a", "b"]),
        "challenge" => (
            vec![
                ("challengers", names, "Who takes the first seat in turn."),
                field,
            ],
            &["challengers", "field"],
        ),
        "swiss" => (
            vec![
                ("rounds", whole(1, 1_000), "Rounds."),
                seated,
                late,
                withdrawn,
            ],
            &["rounds"],
        ),
        "knockout" => {
            let through = ("through", whole(1, 63), "Who goes on from a table.");
            (
                vec![
                    seated,
                    through,
                    ("double", flag(), "Out is who has failed twice."),
                    withdrawn,
                ],
                &[],
            )
        }
        "ladder" => (
            vec![
                seated,
                ("entrants", names, "Who plays up, in this order."),
                withdrawn,
            ],
            &[],
        ),
        "round-robin" => (vec![seated, late, withdrawn], &[]),
        "race" => {
            let goal = (
                "goal",
                words(&["best", "ranking", "pairs"]),
                "What is looked for.",
            );
            let top = (
                "top",
                whole(1, ENTRANTS_MAX as u64),
                "So many of the best are looked for.",
            );
            let error = (
                "error",
                above(0.000_001, Some(0.5)),
                "The chance of a wrong answer that is accepted.",
            );
            let margin = json!({"type": "number", "minimum": 0, "exclusiveMaximum": 1e9});
            let margin = ("margin", margin, "Differences up to it do not matter.");
            let challengers = ("challengers", names, "Who is raced.");
            let without_luck = (
                "without_luck",
                flag(),
                "Look at scores without what chance is known to have been worth.",
            );
            (
                vec![challengers, field, goal, top, error, margin, without_luck],
                &["challengers"],
            )
        }
        other => unreachable!("a format that the schema does not know: {other}"),
    };
    let mut schema = object("", &keys, required);
    schema["properties"]["kind"] = json!({"const": kind});
    schema
}

fn sequential() -> Value {
    let pair = json!({"type": "array", "minItems": 2, "maxItems": 2, "items": text()});
    let any = json!({"type": "number"});
    object(
        "A rule that may end comparisons before all blocks are played.",
        &[
            ("rule", words(&RULES), "The rule."),
            (
                "confidence",
                above(0.5, Some(1.0)),
                "Confidence of all comparisons together.",
            ),
            (
                "pairs",
                json!({"type": "array", "items": pair}),
                "The comparisons; without it all pairs that meet.",
            ),
            (
                "without_luck",
                flag(),
                "Look at scores without what chance is known to have been worth.",
            ),
            (
                "tuned_for",
                above(1.0, None),
                "Blocks at which a confidence sequence is narrowest.",
            ),
            (
                "precision",
                above(0.0, None),
                "Half the width of the interval that is precise enough.",
            ),
            (
                "low",
                json!({"type": "number", "exclusiveMaximum": 0}),
                "The least difference that there can be.",
            ),
            (
                "high",
                above(0.0, None),
                "The greatest difference that there can be.",
            ),
            ("h0", any.clone(), "The difference of the first hypothesis."),
            ("h1", any, "The difference of the second hypothesis."),
            ("one_sided", flag(), "Who is ahead is known beforehand."),
            (
                "alpha",
                above(0.0, Some(0.5)),
                "The chance of a wrong second hypothesis.",
            ),
            (
                "beta",
                above(0.0, Some(0.5)),
                "The chance of a wrong first hypothesis.",
            ),
            (
                "sd",
                above(0.0, None),
                "The standard deviation of a block's difference, where it is known.",
            ),
        ],
        &[],
    )
}

fn report() -> Value {
    let published = object(
        "A published table to print beside this one.",
        &[
            (
                "file",
                text(),
                "The JSON file that it is in, from the league's folder.",
            ),
            ("table", text(), "Its name there."),
        ],
        &["file", "table"],
    );
    let corrections = words(&["max-t", "holm", "benjamini-hochberg", "bh"]);
    object(
        "How results are read.",
        &[
            (
                "confidence",
                above(0.5, Some(1.0)),
                "Confidence of intervals; tests are at 1 minus it.",
            ),
            (
                "correction",
                corrections,
                "How p-values are adjusted for the number of tests.",
            ),
            (
                "score_ratio",
                flag(),
                "Also give the share of one bot in what two scored.",
            ),
            (
                "without_luck",
                flag(),
                "Take away from scores what chance is known to have been worth.",
            ),
            (
                "equal_within",
                above(0.0, None),
                "The difference below which two bots are equal for this league's purposes.",
            ),
            (
                "published",
                published,
                "A published table to print beside this one.",
            ),
        ],
        &[],
    )
}

fn isolation() -> Value {
    described(
        words(&["process", "none"]),
        "Where compiled bots run, each in a process of its own or in this one; and programs, each in a sandbox or trusted.",
    )
}

/// A mapping with these keys and no others.
fn object(what: &str, keys: &[(&str, Value, &str)], required: &[&str]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|(key, value, doc)| ((*key).to_owned(), described(value.clone(), doc)))
        .collect();
    let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    if what.is_empty() {
        schema
    } else {
        described(schema, what)
    }
}

fn described(mut schema: Value, what: &str) -> Value {
    schema["description"] = what.into();
    schema
}

fn words(words: &[&str]) -> Value {
    json!({"enum": words})
}

/// Text with something in it.
fn text() -> Value {
    json!({"type": "string", "pattern": "\\S"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn whole(least: u64, most: u64) -> Value {
    json!({"type": "integer", "minimum": least, "maximum": most})
}

/// A number between two bounds, without them.
fn above(low: f64, high: Option<f64>) -> Value {
    let mut schema = json!({"type": "number", "exclusiveMinimum": low});
    if let Some(high) = high {
        schema["exclusiveMaximum"] = high.into();
    }
    schema
}
