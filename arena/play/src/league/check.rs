//! From text to a checked league.

use super::Sharing;
use super::fields::{Fields, Reader};
use super::formats::{self, Format, FormatReader, Imagined};
use super::problem::Problem;
use super::sequential::read_sequential;
use super::settings::{read_budget, read_own_budget, read_report};
use super::yaml::{Document, Node, Place, SyntaxError, Value};
use super::{
    BLOCKS_MAX, Budget, DEALS_MAX, ENTRANTS_MAX, Entrant, League, NAME_MAX, Path, ReportSettings,
    ResolveBot, THREADS_MAX,
};
use super::{Excluded, Missing, OnError, pattern, sweep};
use super::{client, program};
use hattari_agents::agent::Isolation;
use hattari_agents::files;
use hattari_agents::games::{self, Facts, Rules};
use hattari_agents::table::{self, AnyGame, FaultPolicy, RESTARTS};
use hattari_agents::text;

/// Keys of a league.
pub(super) const KEYS: &[&str] = &[
    "game",
    "preset",
    "options",
    "seed",
    "entrants",
    "on_error",
    "format",
    "blocks",
    "deals",
    "duplicate",
    "same_deals",
    "faults",
    "restarts",
    "isolation",
    "budget",
    "sequential",
    "report",
];

/// Checks a league's text. `base` is the folder that paths in it start from.
///
/// # Errors
/// All that is wrong.
pub(super) fn check(
    text: &str,
    base: &Path,
    resolve: &mut ResolveBot<'_>,
) -> Result<League, Vec<Problem>> {
    let document = Document::parse(text).map_err(|error| vec![syntax_problem(text, error)])?;
    let reader = Reader::new(&document);
    let league = read_league(&reader, &document.root, base, resolve);
    let problems = reader.into_problems();
    match league {
        Some(league) if problems.is_empty() => Ok(league),
        _ => Err(problems),
    }
}

/// Returns the place of an entrant's settings in the text of a league, or the place of the entrant
/// where it has none.
pub(super) fn place_of(text: &str, entrant: &Entrant) -> Option<Place> {
    fn get<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
        let Value::Map(entries) = &node.value else {
            return None;
        };
        entries
            .iter()
            .find(|(key, _)| matches!(&key.value, Value::Text(key) if key == name))
            .map(|(_, value)| value)
    }
    fn text_of(node: &Node) -> Option<&str> {
        if let Value::Text(text) = &node.value {
            Some(text)
        } else {
            None
        }
    }
    let document = Document::parse(text).ok()?;
    let Value::List(items) = &get(&document.root, "entrants")?.value else {
        return None;
    };
    let is_it = |item: &&Node| {
        let bot = get(item, "bot").and_then(text_of);
        let name = get(item, "name")
            .and_then(text_of)
            .or(bot)
            .or_else(|| text_of(item))
            .unwrap_or_default();
        match bot.filter(|bot| pattern::is_pattern(bot)) {
            Some(pattern) => pattern::fits_path(pattern, &entrant.bot),
            None if get(item, "sweep").is_some() => entrant.name.starts_with(&format!("{name} ")),
            None => entrant.name == name,
        }
    };
    let item = items.iter().find(is_it)?;
    document.place(get(item, "config").or(get(item, "sweep")).unwrap_or(item))
}

/// A syntax error with the cure that fits what is usually behind it.
fn syntax_problem(text: &str, error: SyntaxError) -> Problem {
    let tab = text
        .lines()
        .position(|line| line.trim_start_matches(' ').starts_with('\t') && !line.trim().is_empty());
    if let (Some(line), Some(Place { line: found, .. })) = (tab, error.place)
        && line < found
    {
        let column = 1 + text
            .lines()
            .nth(line)
            .and_then(|line| line.find('\t'))
            .unwrap_or(0);
        let place = Some(Place {
            line: line + 1,
            column,
        });
        return Problem {
            place,
            message: "a tab in the indentation".into(),
            cure: "YAML is indented by spaces".into(),
        };
    }
    let empty = text
        .lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
    let (message, cure) = if empty {
        (
            "the file holds no league".to_owned(),
            "start from leagues/demo.yaml",
        )
    } else if error.message.contains("more than one document") {
        (
            "the file holds several YAML documents".to_owned(),
            "keep one league a file, without `---` between",
        )
    } else if ["repetition limit", "recursion limit", "brackets are open"]
        .iter()
        .any(|end| error.message.contains(end))
    {
        (
            format!("not readable: {}", error.message),
            "write it flatter and with fewer aliases",
        )
    } else if error.message.contains("unknown anchor") {
        (
            format!("not well-formed YAML: {}", error.message),
            "define it before with `&name`, or quote a text that starts with `*`",
        )
    } else if error.message.contains("tags") {
        (
            error.message,
            "remove the tag, or quote a text that starts with `!`",
        )
    } else {
        (
            format!("not well-formed YAML: {}", error.message),
            "look for a missing space after a colon, uneven indentation, or an open bracket or quote here or just above",
        )
    };
    Problem {
        place: error.place,
        message,
        cure: cure.to_owned(),
    }
}

/// Reads everything even if something has been wrong, so that all problems are told at once.
fn read_league(
    reader: &Reader<'_>,
    root: &Node,
    base: &Path,
    resolve: &mut ResolveBot<'_>,
) -> Option<League> {
    let fields = reader.fields(root, "the league", KEYS)?;
    let facts = read_game(reader, &fields);
    let rules = facts
        .as_ref()
        .and_then(|facts| read_rules(reader, &fields, facts, base));
    let seed = fields
        .get("seed")
        .map_or(Some(1), |node| reader.whole(node, "seed", 0..=u64::MAX));
    let on_error = fields
        .get("on_error")
        .map_or(Some(OnError::default()), |node| {
            const RULES: [OnError; 2] = [OnError::Exclude, OnError::Stop];
            reader
                .word(node, "on_error", &["exclude", "stop"])
                .map(|i| RULES[i])
        });
    let among = Among {
        base,
        facts,
        on_error: on_error.unwrap_or_default(),
    };
    let (entrants, excluded) = read_entrants(reader, &fields, &among, resolve).unzip();
    if let (Some(facts), Some((_, rules)), Some(entrants)) = (&facts, &rules, &entrants) {
        client::check_options(
            reader,
            facts,
            &rules.options,
            entrants,
            fields.get("entrants").unwrap_or(root),
        );
    }
    let format = {
        let facts = facts.map(|facts| {
            rules
                .as_ref()
                .map_or(*facts, |(_, rules)| facts.under(rules))
        });
        let within = FormatReader {
            reader,
            entrants: entrants.as_deref(),
            facts: facts.as_ref(),
        };
        formats::read_format(reader, &fields, &within)
    };
    let blocks = reader
        .required(&fields, "the league", "blocks", "blocks: 70")
        .and_then(|node| reader.whole(node, "blocks", 1..=u64::from(BLOCKS_MAX)));
    let deals = match fields.get("deals") {
        Some(node) => reader
            .whole(node, "deals", 1..=u64::from(DEALS_MAX))
            .and_then(|deals| u32::try_from(deals).ok()),
        None => rules.as_ref().map(|(_, rules)| rules.block_deals),
    };
    let duplicate = fields
        .get("duplicate")
        .map_or(Some(false), |node| reader.flag(node, "duplicate"));
    let same_deals = fields
        .get("same_deals")
        .map_or(Some(false), |node| reader.flag(node, "same_deals"));
    let faults = fields
        .get("faults")
        .map_or(Some(FaultPolicy::default()), |node| {
            const POLICIES: [FaultPolicy; 3] = [
                FaultPolicy::Forfeit,
                FaultPolicy::Substitute,
                FaultPolicy::Stop,
            ];
            reader
                .word(node, "faults", &["forfeit", "substitute", "stop"])
                .map(|i| POLICIES[i])
        });
    let restarts = fields
        .get("restarts")
        .map_or(Some(u64::from(RESTARTS)), |node| {
            reader.whole(node, "restarts", 0..=u64::from(DEALS_MAX))
        });
    let isolation = read_isolation(reader, &fields);
    let budget = fields
        .get("budget")
        .map_or(Some(Budget::default()), |node| read_budget(reader, node));
    let sequential = fields.get("sequential").map_or(Some(None), |node| {
        read_sequential(reader, node, entrants.as_deref().unwrap_or_default()).map(Some)
    });
    let report = fields
        .get("report")
        .map_or(Some(ReportSettings::default()), |node| {
            read_report(reader, node, base)
        });
    let (preset, rules) = rules?;
    let mut league = League {
        game: facts?.name().to_owned(),
        preset,
        options: rules.options,
        seed: seed?,
        entrants: entrants?,
        on_error: on_error?,
        excluded: Vec::new(),
        format: format?,
        blocks: u32::try_from(blocks?).ok()?,
        deals: deals?,
        duplicate: duplicate?,
        same_deals: same_deals?,
        faults: faults?,
        restarts: u32::try_from(restarts?).ok()?,
        budget: budget?,
        isolation: isolation?,
        sequential: sequential?,
        report: report?,
    };
    check_luck(reader, &fields, &league);
    check_duplicate_luck(reader, &fields, &league);
    if reader.is_clean()
        && let Err(message) = league.exclude(excluded.unwrap_or_default())
    {
        reader.problem(
            fields.get("on_error").unwrap_or(root),
            message,
            "mend these bots, or add other entrants",
        );
    }
    if reader.is_clean()
        && let Err((message, cure)) = formats::check_size(&league)
    {
        let node = fields.get("format").unwrap_or(root);
        reader.problem(node, message, cure);
    }
    if let (true, Some(node), Some(blocks)) = (
        reader.is_clean(),
        fields.get("sequential"),
        Sharing::of(&league).blocks_without_repeat(),
    ) && blocks < u64::from(league.blocks)
    {
        let message = format!(
            "a stopping rule with given deals that come round again after {}: a deal that is played again is no new evidence",
            text::counted(blocks, "block")
        );
        reader.problem(
            node,
            message,
            format!("give `blocks: {blocks}` at most, more deals, or no `sequential`"),
        );
    }
    if let (true, Some(node)) = (reader.is_clean(), fields.get("sequential"))
        && league.format.course(&league, &Imagined(false)).is_some()
    {
        let message = "a stopping rule in a league whose format decides who meets whom";
        reader.problem(
            node,
            message,
            "leave `sequential` out, or play a format of fixed line-ups (a `race` stops by itself)",
        );
    }
    Some(league)
}

/// Refuses to take away luck of which the game tells nothing under the league's options.
fn check_luck(reader: &Reader<'_>, fields: &Fields<'_>, league: &League) {
    let asking = [
        ("report", league.report.without_luck),
        (
            "sequential",
            league
                .sequential
                .as_ref()
                .is_some_and(|sequential| sequential.without_luck),
        ),
        (
            "format",
            matches!(&league.format, Format::Race(race) if race.without_luck),
        ),
    ];
    let tells =
        || table::game(&league.game, &league.options).is_ok_and(|game| !game.chances().is_empty());
    if asking.iter().all(|(_, asks)| !asks) || tells() {
        return;
    }
    for (key, _) in asking.iter().filter(|(_, asks)| *asks) {
        if let Some(node) = fields.get(key) {
            let message = format!(
                "`without_luck`: {} tells nothing of luck under these options",
                league.game
            );
            reader.problem(
                node,
                message,
                "leave it out (given deals and balanced decks are no chance of that kind)",
            );
        }
    }
}

/// Refuses to measure the luck of duplicated deals that count together: it adds up to nothing over
/// the rotations.
fn check_duplicate_luck(reader: &Reader<'_>, fields: &Fields<'_>, league: &League) {
    let Some(node) = fields.get("options").filter(|_| league.duplicate) else {
        return;
    };
    let adds_up = |game: &dyn AnyGame| {
        let (players, _) = game.players();
        !game.chances().is_empty()
            && 1 < game.rotations(players)
            && game.counted_rotations(players) == 1
    };
    if table::game(&league.game, &league.options).is_ok_and(|game| adds_up(&*game)) {
        let message = "`luck`: of duplicated deals luck adds up to nothing, for both sides are dealt both hands";
        reader.problem(node, message, "leave `luck` out, or `duplicate`");
    }
}

fn read_game(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<&'static Facts> {
    let node = reader.required(fields, "the league", "game", "game: daihinmin")?;
    let name = reader.text(node, "game", "the name of a game")?;
    let facts = Facts::find(name);
    if facts.is_none() {
        let names = games::all().into_iter().map(Facts::name);
        reader.problem(
            node,
            format!("there is no game `{name}`"),
            text::suggestion(name, "games", names),
        );
    }
    facts
}

/// The name of the preset and the rules in force.
fn read_rules(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    facts: &Facts,
    base: &Path,
) -> Option<(String, Rules)> {
    let game = facts.name();
    let preset = match fields.get("preset") {
        None => facts.presets.first().copied()?,
        Some(node) => {
            let name = reader.text(
                node,
                "preset",
                &format!("one of {}", text::quoted(facts.presets.iter().copied())),
            )?;
            if !facts.presets.contains(&name) {
                let cure = text::suggestion(name, "presets", facts.presets.iter().copied());
                reader.problem(node, format!("{game} has no preset `{name}`"), cure);
                return None;
            }
            name
        }
    };
    let mut nodes: Vec<(&str, &Node, &Node)> = Vec::new();
    let mut overrides = Vec::new();
    let options = fields.get("options");
    if let Some(node) = options {
        let Value::Map(entries) = &node.value else {
            let cure =
                "give a mapping from the game's options to values, as in `options: {name: value}`";
            reader.problem(node, format!("`options`: found {}", node.describe()), cure);
            return None;
        };
        for (key, value) in entries {
            let (Value::Text(name), Ok(json)) = (&key.value, value.to_json()) else {
                reader.problem(
                    key,
                    "`options` takes names with plain values",
                    "remove it or mend it",
                );
                return None;
            };
            if nodes.iter().any(|(other, ..)| other == name) {
                reader.problem(key, format!("the option `{name}` comes twice"), "keep one");
            }
            nodes.push((name, key, value));
            overrides.push((
                name.clone(),
                option_value(reader, value, facts, name, json, base)?,
            ));
        }
    }
    match facts.in_force(preset, &overrides) {
        Ok(rules) => Some((preset.to_owned(), rules)),
        Err(problems) => {
            for problem in problems {
                let named = nodes
                    .iter()
                    .find(|(name, ..)| problem.option.as_deref() == Some(*name));
                let node = named
                    .map(|(_, key, _)| *key)
                    .or(options)
                    .unwrap_or(fields.node);
                reader.problem(node, problem.message, problem.cure);
            }
            None
        }
    }
}

/// The value of an option: what the league says, or what the file holds that it names as `{file:
/// boards.pbn}`. Most bytes of a file with the value of an option.
const OPTION_BYTES_MAX: u64 = 64 << 20;

fn option_value(
    reader: &Reader<'_>,
    node: &Node,
    facts: &Facts,
    name: &str,
    json: serde_json::Value,
    base: &Path,
) -> Option<serde_json::Value> {
    let named = json
        .as_object()
        .filter(|keys| keys.len() == 1)
        .and_then(|keys| keys.get("file")?.as_str());
    let Some(file) = named else { return Some(json) };
    let path = base.join(file);
    let text = match files::read_text(&path, OPTION_BYTES_MAX) {
        Ok(text) => text,
        Err(error) => {
            let message = format!(
                "option `{name}`: `{}` cannot be read: {error}",
                path.display()
            );
            reader.problem(
                node,
                message,
                "give the path of a text file, relative to the league's folder",
            );
            return None;
        }
    };
    match facts.option_from_file(name, &text) {
        Some(Ok(value)) => Some(value),
        Some(Err(error)) => {
            reader.problem(
                node,
                format!("option `{name}`: `{}`: {error}", path.display()),
                "mend the file",
            );
            None
        }
        // An option that is not read from files says itself what is wrong with this value.
        None => Some(json),
    }
}

/// The context in which entrants are read.
struct Among<'a> {
    /// The folder that paths start from.
    base: &'a Path,
    /// The game, where it is known.
    facts: Option<&'a Facts>,
    on_error: OnError,
}

/// The entrants, and those of them that are to be left out.
fn read_entrants(
    reader: &Reader<'_>,
    fields: &Fields<'_>,
    among: &Among<'_>,
    resolve: &mut ResolveBot<'_>,
) -> Option<(Vec<Entrant>, Vec<Excluded>)> {
    const EXPECTED: &str = "a list of entrants, as in `entrants: [base, {name: mine, bot: scripts/daihinmin/mine.lua}]`";
    let node = reader.required(fields, "the league", "entrants", "entrants: [base, all-k]")?;
    let items = reader.list(node, "entrants", EXPECTED)?;
    if items.is_empty() {
        reader.problem(
            node,
            "nobody takes part: `entrants` is empty",
            format!("give {EXPECTED}"),
        );
        return None;
    }
    if ENTRANTS_MAX < items.len() {
        return too_many(reader, node, items.len());
    }
    let mut entrants: Vec<(Entrant, &Node)> = Vec::with_capacity(items.len());
    let mut excluded = Vec::new();
    let mut whole = true;
    for item in items {
        let Some(made) = read_entrants_of(reader, among.base, item) else {
            whole = false;
            continue;
        };
        // One word about a bot that is not there will do for all that a sweep makes of it.
        let mut missing: Option<(String, Missing)> = None;
        for entrant in made {
            if NAME_MAX < entrant.name.chars().count() {
                let start: String = entrant.name.chars().take(40).collect();
                let message = format!("the name `{start}…` has more than {NAME_MAX} characters");
                reader.problem(
                    item,
                    message,
                    "give the entrant a shorter `name`, as in `{name: mine, bot: …}`; a sweep adds its values to it",
                );
                whole = false;
                break;
            }
            if let Some((_, first)) = entrants
                .iter()
                .find(|(other, _)| other.name == entrant.name)
            {
                let line = reader.line(first);
                let message = format!(
                    "two entrants are called `{}`; the first is in line {line}",
                    entrant.name
                );
                let cure = format!(
                    "give one another name, as in `{{name: {0}-2, bot: {1}}}`; to seat one entrant several times, list its name \
                 so often in `format`",
                    entrant.name, entrant.bot
                );
                reader.problem(item, message, cure);
            } else if let Some(facts) = among.facts {
                // A bot is only looked for where the game is known: the same name may serve several
                // games.
                let is_known = missing.as_ref().is_some_and(|(bot, _)| *bot == entrant.bot);
                if !is_known {
                    missing = resolve(facts, &entrant)
                        .err()
                        .map(|missing| (entrant.bot.clone(), missing));
                }
                match &missing {
                    Some((_, missing)) if among.on_error == OnError::Exclude => {
                        excluded.push(Excluded::new(&entrant, missing.message.clone()));
                    }
                    Some((_, missing)) if !is_known => {
                        reader.problem(item, &*missing.message, &*missing.cure)
                    }
                    _ => {}
                }
            }
            entrants.push((entrant, item));
        }
    }
    if whole && ENTRANTS_MAX < entrants.len() {
        return too_many(reader, node, entrants.len());
    }
    client::check(reader, among.facts, &entrants);
    whole.then(|| {
        (
            entrants.into_iter().map(|(entrant, _)| entrant).collect(),
            excluded,
        )
    })
}

fn too_many<T>(reader: &Reader<'_>, node: &Node, count: usize) -> Option<T> {
    let message = format!(
        "{count} entrants; a league takes at most {}",
        text::grouped(ENTRANTS_MAX as u64)
    );
    reader.problem(node, message, "remove some");
    None
}

/// The entrants of a line: one, or those of a pattern and of a sweep.
fn read_entrants_of(reader: &Reader<'_>, base: &Path, node: &Node) -> Option<Vec<Entrant>> {
    let entrant = read_entrant(reader, node);
    let Value::Map(entries) = &node.value else {
        return Some(vec![entrant?]);
    };
    let get = |name: &str| {
        let is_called = |key: &Node| matches!(&key.value, Value::Text(key) if key == name);
        entries
            .iter()
            .find(|(key, _)| is_called(key))
            .map(|(_, value)| value)
    };
    let entrant = entrant?;
    let is_pattern =
        entrant.client.is_none() && entrant.command.is_none() && pattern::is_pattern(&entrant.bot);
    let made = if is_pattern {
        pattern::expand(reader, node, base, &entrant, get("name").is_some())?
    } else {
        vec![entrant]
    };
    match get("sweep") {
        Some(sweep) => {
            let swept = made
                .iter()
                .map(|entrant| sweep::expand(reader, sweep, entrant));
            Some(swept.collect::<Option<Vec<_>>>()?.concat())
        }
        None => Some(made),
    }
}

fn read_entrant(reader: &Reader<'_>, node: &Node) -> Option<Entrant> {
    const EXPECTED: &str = "the name of a bot, or a mapping with `name`, `bot`, `config`, `sweep`, `isolation`, `threads` and `budget`";
    if let Some(kind) = client::kind(reader, node)? {
        return client::read(reader, node, kind);
    }
    let empty = || serde_json::Value::Object(serde_json::Map::new());
    if !matches!(node.value, Value::Map(_)) {
        let name = reader.text(node, "entrants", EXPECTED)?;
        let (name, bot) = (name.to_owned(), name.to_owned());
        let config = empty();
        let (isolation, threads, budget, client, command) = (None, 0, None, None, None);
        return Some(Entrant {
            name,
            bot,
            config,
            isolation,
            threads,
            budget,
            client,
            command,
        });
    }
    let keys = [
        "name",
        "kind",
        "bot",
        "command",
        "folder",
        "config",
        "sweep",
        "isolation",
        "threads",
        "budget",
    ];
    let fields = reader.fields(node, "an entrant", &keys)?;
    let command = program::read(reader, &fields)?;
    let bot = match &command {
        Some(command) => Some(command.to_string()),
        None => reader
            .required(&fields, "an entrant", "bot", "bot: base")
            .and_then(|node| {
                reader.text(
                    node,
                    "bot",
                    "the name of a bot, or the path of a script or library",
                )
            })
            .map(str::to_owned),
    };
    let name = match fields.get("name") {
        Some(node) => reader.text(node, "name", "a name for the entrant"),
        None => bot.as_deref(),
    };
    let config = match fields.get("config") {
        None => Some(empty()),
        Some(node) => match node.to_json() {
            Ok(config @ serde_json::Value::Object(_)) => Some(config),
            Ok(_) => {
                let cure = "give a mapping of the bot's settings, as in `config: {greed: 0.3}`";
                reader.problem(node, format!("`config`: found {}", node.describe()), cure);
                None
            }
            Err(part) => {
                let cure = "keys are text; numbers are finite and below 2 to the 64th";
                reader.problem(
                    part,
                    format!("`config` cannot hold {}", part.describe()),
                    cure,
                );
                None
            }
        },
    };
    let isolation = read_isolation(reader, &fields)?;
    let threads = fields.get("threads");
    let threads = threads.map_or(Some(0), |node| {
        reader.whole(node, "threads", 0..=u64::from(THREADS_MAX))
    })?;
    let threads = u32::try_from(threads).ok()?;
    let budget = read_own_budget(reader, &fields)?;
    let (name, bot, config) = (name?.to_owned(), bot?, config?);
    Some(Entrant {
        name,
        bot,
        config,
        isolation,
        threads,
        budget,
        client: None,
        command,
    })
}

/// Where compiled bots run, `Some(None)` where it is not said.
fn read_isolation(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<Option<Isolation>> {
    const KINDS: [Isolation; 2] = [Isolation::Process, Isolation::None];
    fields.get("isolation").map_or(Some(None), |node| {
        reader
            .word(node, "isolation", &["process", "none"])
            .map(|i| Some(KINDS[i]))
    })
}
