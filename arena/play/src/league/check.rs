//! Parses and checks the text of a league.

use super::conflicts::{self, Conflict};
use super::fields::{Fields, Reader};
use super::formats;
use super::keys::{DeferredNode, Flag, IntegerRange, OneOf, keys, text as any_text};
use super::problem::{Problem, TextPosition};
use super::sequential::{SequentialKeys, read_sequential};
use super::settings::{BudgetKeys, ReportKeys, read_budget, read_report};
use super::yaml::{Document, Node};
use super::{
    BLOCKS_MAX, DEALS_MAX, Excluded, League, LeagueDefinition, OnError, OptionSweep, Path,
    ResolveBot, client, entrants, schema, sweep,
};
use hattari_agents::agent::Isolation;
use hattari_agents::games::{self, GameInfo, LeagueOptions};
use hattari_agents::table::{FaultPolicy, RESTARTS};
use hattari_agents::{files, text};

keys! {
    /// The game, the entrants, the pairings and the number of games.
    LeagueKeys = "the league";
    /// `daihinmin`, `bridge`, `holdem`, `stud` or `tanhinmin`
    game = DeferredNode(schema::games), needs "game: daihinmin";
    /// a named set of options of the game
    preset = DeferredNode(any_text), or "the first preset of the game";
    /// options that differ from the preset, [by game](#options)
    options = DeferredNode(schema::options), or "none";
    /// an option of the game with a list of values: [one league per value](#many-settings-at-once)
    sweep = DeferredNode(sweep::option_schema), or "none";
    /// random seed, 0 to 2^64 − 1
    seed = IntegerRange<u64>(0, u64::MAX), or "1";
    /// the entrants, up to 1,000: names of bots, or mappings with the keys below
    entrants = DeferredNode(entrants::schema), needs "entrants: [base, all-k]";
    /// if a bot cannot be found or started: `stop` plays nothing, `exclude` plays without the
    /// entrant and [reports it](#bots-that-others-hand-in)
    on_error = OneOf<OnError>(&[("exclude", OnError::Exclude), ("stop", OnError::Stop)]),
        or "`stop`";
    /// the rule by which entrants are paired: one of the kinds below
    format = DeferredNode(formats::schema), needs "format: {kind: line-ups, size: 5}";
    /// number of blocks (the unit of all statistical tests) per line-up, up to 10,000,000; in
    /// formats with rounds, per table and round; in a round robin, the number of cycles
    blocks = IntegerRange<u32>(1, BLOCKS_MAX), needs "blocks: 70";
    /// deals per block; rotations of a deal (`duplicate`) are played in addition
    deals = IntegerRange<u32>(1, DEALS_MAX), or "depends on the game";
    /// play every deal once for each rotation of the line-up around the table
    duplicate = Flag, or "false";
    /// deal the same cards to all line-ups in blocks with the same number; these blocks then count
    /// as one observation, and challengers are compared deal by deal
    same_deals = Flag, or "false";
    /// penalty for a fault: `substitute` plays the fallback action; `forfeit` loses the block;
    /// `stop` plays the fallback action, keeps the block with its fault and ends the run; the next
    /// run continues the league
    faults = OneOf<FaultPolicy>(&FAULTS), or "`substitute`";
    /// restarts of a bot per block, after crashes or timeouts; then it gets no more calls in the
    /// block
    restarts = IntegerRange<u32>(0, DEALS_MAX), or "8";
    /// where compiled bots run: `process` (each in a separate process) or `none` (in Hattari's own
    /// process; a library then needs [confirmation](#trust) the first time, or `--trust`).
    /// Programs: `process` (each in [a sandbox](../bots/programs/README.md#in-a-sandbox), without
    /// confirmation) or `none`
    isolation = OneOf<Isolation>(&entrants::ISOLATION),
        or "`none` for bots that are built into Hattari, `process` for libraries";
    /// limits of the bots, with the six keys below
    budget = DeferredNode(|| BudgetKeys::MAPPING.schema());
    /// a [rule that may end comparisons early](#stopping-early)
    sequential = DeferredNode(|| SequentialKeys::MAPPING.schema()), or "play all blocks";
    /// settings of the report, with the six keys below; can be changed at any time
    report = DeferredNode(|| ReportKeys::MAPPING.schema());
}

/// Penalties for faults, by keyword.
const FAULTS: [(&str, FaultPolicy); 3] = [
    ("forfeit", FaultPolicy::Forfeit),
    ("substitute", FaultPolicy::Substitute),
    ("stop", FaultPolicy::Stop),
];

/// The preset of a league and its rules. A sweep is not applied.
pub(super) struct PresetRules {
    /// Name of the preset.
    pub preset: String,
    /// The rules: the preset with the options of the league.
    pub in_force: LeagueOptions,
}

/// Parses and checks the text of a league. Relative paths in the text are resolved against `base`.
///
/// # Errors
/// Returns all problems.
pub(super) fn check(
    text: &str,
    base: &Path,
    resolve: &mut ResolveBot<'_>,
) -> Result<LeagueDefinition, Vec<Problem>> {
    let document = Document::parse(text).map_err(|error| vec![likely_problem(text, error)])?;
    let mut reader = Reader::new(&document, base);
    let definition = read_league(&mut reader, &document.root, text, resolve);
    let problems = reader.problems.into_inner();
    match definition {
        Some(definition) if problems.is_empty() => Ok(definition),
        _ => Err(problems),
    }
}

/// Returns the problem of a text that is not well-formed YAML. The likely cause of the syntax error
/// is a tab in the indentation before it, or that the text contains no league.
fn likely_problem(text: &str, error: Problem) -> Problem {
    let lines_before = error.position.map_or(0, |position| position.line);
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let tab_indented = (1..)
        .zip(text.lines())
        .take(lines_before)
        .find(|(_, line)| {
            line.trim_start_matches(' ').starts_with('\t') && !line.trim().is_empty()
        });
    if let Some((line, indented)) = tab_indented {
        let column = 1 + indented.find('\t').unwrap_or_default();
        let position = Some(TextPosition { line, column });
        Problem::at(position, "a tab in the indentation", "indent with spaces")
    } else if text.lines().all(is_blank) {
        Problem::at(
            error.position,
            "the file contains no league",
            "start from leagues/demo.yaml",
        )
    } else {
        error
    }
}

/// Reads a league. Reads all keys even after a problem, so that all problems are reported at once.
fn read_league(
    reader: &mut Reader<'_>,
    root: &Node,
    text: &str,
    resolve: &mut ResolveBot<'_>,
) -> Option<LeagueDefinition> {
    let keys = LeagueKeys::read(reader, root)?;
    let facts = keys.game.and_then(|node| read_game(reader, node));
    let rules = facts.and_then(|facts| read_rules(reader, &keys, facts));
    let sweep = keys
        .sweep
        .zip(facts)
        .zip(rules.as_ref())
        .and_then(|((node, facts), rules)| sweep::read(reader, node, facts, rules, keys.options));
    let on_error = keys.on_error.unwrap_or_default();
    let (entrants, excluded) = keys
        .entrants
        .and_then(|node| entrants::read(reader, node, facts, on_error, resolve))
        .unzip();
    if let (Some(facts), Some(rules), Some(entrants)) = (facts, &rules, &entrants) {
        for conflict in client::conflicts(facts.name(), &rules.in_force.options, entrants) {
            report_conflict(reader, &keys.fields, conflict);
        }
    }
    reader.entrants = entrants
        .as_ref()
        .map(|all| all.iter().map(|entrant| entrant.name.clone()).collect());
    reader.facts = facts.copied();
    // The rules may allow fewer numbers of players than the game.
    if let (Some(facts), Some(rules)) = (&mut reader.facts, &rules) {
        facts.players = rules.in_force.players;
    }
    let reader = &*reader;
    let format = keys.format.and_then(|node| formats::read(reader, node));
    let budget = keys.budget.and_then(|node| read_budget(reader, node));
    let sequential = (keys.sequential).and_then(|node| read_sequential(reader, node));
    let report = keys.report.and_then(|node| read_report(reader, node));
    let PresetRules { preset, in_force } = rules?;
    let mut league = League {
        game: facts?.name().to_owned(),
        preset,
        options: in_force.options,
        seed: keys.seed.unwrap_or(1),
        entrants: entrants?,
        on_error,
        excluded: Vec::new(),
        format: format?,
        blocks: keys.blocks?,
        deals: keys.deals.unwrap_or(in_force.block_deals),
        duplicate: keys.duplicate.unwrap_or_default(),
        same_deals: keys.same_deals.unwrap_or_default(),
        draws_seats: true,
        faults: keys.faults.unwrap_or_default(),
        restarts: keys.restarts.unwrap_or(RESTARTS),
        budget: budget.unwrap_or_default(),
        isolation: keys.isolation,
        sequential,
        report: report.unwrap_or_default(),
    };
    let excluded = excluded.unwrap_or_default();
    check_combinations(reader, &keys, &mut league, excluded, sweep.as_ref());
    Some(LeagueDefinition {
        league,
        sweep,
        text: text.to_owned(),
        files: reader.files.take(),
    })
}

/// Checks settings that must fit each other, and removes the `excluded` entrants. With a sweep,
/// checks the rules of each of its leagues.
fn check_combinations(
    reader: &Reader<'_>,
    keys: &LeagueKeys<'_>,
    league: &mut League,
    excluded: Vec<Excluded>,
    sweep: Option<&OptionSweep>,
) {
    let fields = &keys.fields;
    let report = |conflict| report_conflict(reader, fields, conflict);
    // `read_league` has reported the clients.
    conflicts::luck_conflicts(league)
        .into_iter()
        .for_each(report);
    if reader.is_clean()
        && let Err(message) = league.exclude(excluded)
    {
        let node = fields.get("on_error").unwrap_or(fields.node);
        reader.problem(node, message, "fix these bots, or add other entrants");
    }
    if reader.is_clean() {
        conflicts::size_conflict(league)
            .into_iter()
            .for_each(report);
    }
    for swept in sweep.iter().flat_map(|sweep| sweep.leagues(league)) {
        if !reader.is_clean() {
            return;
        }
        match swept {
            Ok(swept) => conflicts::rule_conflicts(&swept)
                .into_iter()
                .for_each(report),
            Err(problem) => reader.report(keys.sweep.unwrap_or(fields.node), problem),
        }
    }
}

/// Reports settings that do not fit each other, at the value of one of them.
fn report_conflict(reader: &Reader<'_>, fields: &Fields<'_>, (key, problem): Conflict) {
    let node = fields
        .get(key)
        .or_else(|| fields.get("sweep").filter(|_| key == "options"))
        .unwrap_or(fields.node);
    reader.report(node, problem);
}

fn read_game(reader: &Reader<'_>, node: &Node) -> Option<&'static GameInfo> {
    let name = reader.text(node, "game", "the name of a game")?;
    GameInfo::find(name).or_else(|| {
        let names = games::all().into_iter().map(GameInfo::name);
        let remedy = text::suggestion(name, "games", names);
        reader.fail(node, format!("there is no game `{name}`"), remedy)
    })
}

fn read_rules(reader: &Reader<'_>, keys: &LeagueKeys<'_>, facts: &GameInfo) -> Option<PresetRules> {
    let game = facts.name();
    let preset = match keys.preset {
        None => facts.presets.first().copied()?,
        Some(node) => {
            let name = reader.text(
                node,
                "preset",
                &format!("one of {}", text::quoted(facts.presets.iter())),
            )?;
            if !facts.presets.contains(&name) {
                let remedy = text::suggestion(name, "presets", facts.presets.iter().copied());
                return reader.fail(node, format!("{game} has no preset `{name}`"), remedy);
            }
            name
        }
    };
    let overrides = match keys.options {
        Some(node) => read_options(reader, node, facts)?,
        None => Vec::new(),
    };
    match facts.apply_overrides(preset, &overrides) {
        Ok(in_force) => Some(PresetRules {
            preset: preset.to_owned(),
            in_force,
        }),
        Err(problems) => {
            for problem in problems {
                let node = keys
                    .options
                    .zip(problem.option.as_deref())
                    .and_then(|(options, name)| options.entry(name))
                    .map(|(key, _)| key)
                    .or(keys.options)
                    .unwrap_or(keys.fields.node);
                reader.problem(node, problem.message, problem.remedy);
            }
            None
        }
    }
}

/// Returns the options that a league sets.
fn read_options(
    reader: &Reader<'_>,
    node: &Node,
    facts: &GameInfo,
) -> Option<Vec<(String, serde_json::Value)>> {
    let expected = "a mapping from options of the game to values, as in `options: {name: value}`";
    let mut options: Vec<(String, serde_json::Value)> = Vec::new();
    for (key, value) in reader.map(node, "options", expected)? {
        let (Some(name), Ok(json)) = (key.as_text(), reader.json(value)) else {
            return reader.fail(
                key,
                "`options` must map names to plain values",
                "remove or fix it",
            );
        };
        if options.iter().any(|(other, _)| other == name) {
            reader.problem(
                key,
                format!("the option `{name}` is given twice"),
                "remove one of them",
            );
        }
        let json = option_value(reader, value, facts, name, json)?;
        options.push((name.to_owned(), json));
    }
    Some(options)
}

/// Maximum size in bytes of a file with the value of an option.
const OPTION_BYTES_MAX: u64 = 64 << 20;

/// Returns the value of an option. If the league gives `{file: boards.pbn}`, reads the value from
/// that file.
fn option_value(
    reader: &Reader<'_>,
    node: &Node,
    facts: &GameInfo,
    name: &str,
    json: serde_json::Value,
) -> Option<serde_json::Value> {
    let keys = json.as_object().filter(|keys| keys.len() == 1);
    let Some(file) = keys.and_then(|keys| keys.get("file")?.as_str()) else {
        return Some(json);
    };
    let path = reader.base.join(file);
    let text = match files::read_text(&path, OPTION_BYTES_MAX) {
        Ok(text) => text,
        Err(error) => {
            return reader.fail(
                node,
                format!("option `{name}`: cannot read `{}`: {error}", path.display()),
                "give the path of a text file, relative to the folder of the league",
            );
        }
    };
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match (facts.option_from_file)(name, text) {
        Some(Ok(value)) => {
            reader.files.borrow_mut().push(file.into());
            Some(value)
        }
        Some(Err(error)) => reader.fail(
            node,
            format!("option `{name}`: `{}`: {error}", path.display()),
            "fix the file",
        ),
        // The game checks the values of options that cannot be read from files.
        None => Some(json),
    }
}
