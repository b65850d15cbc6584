//! The kinds of leagues that are simulated: games, formats, and sharing of deals.

use crate::support;
use std::borrow::Cow;
use std::fmt;

/// The sharing of deals between blocks and line-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deals {
    /// Every block of every line-up has its own deals.
    Own,
    /// Blocks with the same number have the same deals in all line-ups.
    Shared,
    /// Every deal is played in all rotations.
    Duplicate,
    /// Shared and duplicate.
    SharedDuplicate,
    /// A list of deals in the league, played by all.
    Given,
}

impl Deals {
    const ALL: [Deals; 4] = [
        Deals::Own,
        Deals::Shared,
        Deals::Duplicate,
        Deals::SharedDuplicate,
    ];

    fn yaml(self) -> String {
        match self {
            Deals::Own => String::new(),
            Deals::Shared => "same_deals: true\n".to_owned(),
            Deals::Duplicate => "duplicate: true\n".to_owned(),
            Deals::SharedDuplicate => "duplicate: true\nsame_deals: true\n".to_owned(),
            Deals::Given => format!("options: {{deals: [{}]}}\n", given()),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Deals::Own => "own",
            Deals::Shared => "shared",
            Deals::Duplicate => "duplicate",
            Deals::SharedDuplicate => "shared, duplicate",
            Deals::Given => "given",
        }
    }

    /// Returns `true` if every deal is played in all rotations.
    fn is_duplicate(self) -> bool {
        matches!(self, Deals::Duplicate | Deals::SharedDuplicate)
    }
}

/// A kind of league.
pub(crate) struct Kind {
    game: &'static str,
    bot: &'static str,
    format: &'static str,
    /// Number of entrants.
    entrants: usize,
    /// The format in YAML.
    format_yaml: Cow<'static, str>,
    deals: Deals,
    blocks: usize,
    /// Number of deals in a block.
    deals_a_block: u32,
    /// Name of an additional rule, and its YAML.
    rule: Option<(&'static str, &'static str)>,
    /// True mean score of each player: the sum of all payoffs divided by the number of players.
    mean: f64,
    /// True if scores are luck-adjusted.
    without_luck: bool,
    /// Number of entrants on the first side of the table, if there are sides. Only entrants on the
    /// same side are equal.
    sides: Option<usize>,
    /// Bot of the entrants that are not on the first side, if it is another one.
    other_bot: Option<&'static str>,
}

impl Kind {
    /// Returns the league with this number.
    pub(crate) fn yaml(&self, number: u64) -> String {
        let names: Vec<String> = (0..self.entrants)
            .map(|n| {
                let is_other = self.sides.is_some_and(|first| first <= n);
                let bot = self.other_bot.filter(|_| is_other).unwrap_or(self.bot);
                format!("{{name: e{n}, bot: {bot}}}")
            })
            .collect();
        format!(
            "game: {}\nseed: {}\nisolation: none\nentrants: [{}]\nformat: {}\nblocks: {}\ndeals: {}\n{}{}{}",
            self.game,
            SEED + number,
            names.join(", "),
            self.format_yaml,
            self.blocks,
            self.deals_a_block,
            self.deals.yaml(),
            self.rule.map_or("", |(_, yaml)| yaml),
            if self.without_luck {
                "report: {without_luck: true}\n"
            } else {
                ""
            },
        )
    }

    /// Returns the true mean score of every entrant, or `None` if the sides of a table are not
    /// equal.
    pub(crate) fn mean(&self) -> Option<f64> {
        self.sides.is_none().then_some(self.mean)
    }

    /// Returns `true` if two entrants are equal.
    pub(crate) fn are_equals(&self, a: &str, b: &str) -> bool {
        let side = |name: &str| {
            self.sides.map(|first| {
                name[1..]
                    .parse::<usize>()
                    .is_ok_and(|number| number < first)
            })
        };
        side(a) == side(b)
    }

    /// Returns `true` if a rule may end the league early. The guarantees for fixed sample sizes do
    /// not apply then.
    pub(crate) fn is_sequential(&self) -> bool {
        self.rule.is_some()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind {
            game,
            bot,
            format,
            blocks,
            ..
        } = self;
        let rule = self.rule.map_or("", |(name, _)| name);
        let luck = if self.without_luck {
            ", without luck"
        } else {
            ""
        };
        write!(
            f,
            "{game} | {bot} | {format} | {}{rule}{luck} | {blocks}",
            self.deals.name()
        )
    }
}

/// Base seed; leagues of a kind differ only by their seeds.
const SEED: u64 = 5005;
/// Number of deals in the list of a league.
const GIVEN: usize = 12;

/// A game with its formats.
struct Table {
    game: &'static str,
    /// Bots for leagues without and with duplicate deals. A deterministic bot plays duplicate deals
    /// equally in all rotations, so that the scores would have no variance.
    bots: [&'static str; 2],
    mean: f64,
    deals: u32,
    /// Name, number of entrants and YAML of each format.
    formats: &'static [(&'static str, usize, &'static str)],
}

const TABLES: [Table; 2] = [
    Table {
        game: "daihinmin",
        bots: ["base", "random"],
        mean: 3.0,
        deals: 20,
        formats: &[
            ("line-ups", 7, "{kind: line-ups, size: 5}"),
            (
                "duel",
                5,
                "{kind: duel, a: [e0, e1], b: [e2, e3], field: [e4, e4, e4]}",
            ),
            (
                "challenge",
                5,
                "{kind: challenge, challengers: [e0, e1, e2, e3], field: [e4, e4, e4, e4]}",
            ),
        ],
    },
    Table {
        game: "holdem",
        bots: ["random", "random"],
        mean: 0.0,
        deals: 24,
        formats: &[
            ("line-ups", 5, "{kind: line-ups, size: 3}"),
            ("duel", 4, "{kind: duel, a: [e0, e1], b: [e2, e3]}"),
            (
                "challenge",
                5,
                "{kind: challenge, challengers: [e0, e1, e2, e3], field: [e4, e4]}",
            ),
            ("pairs", 4, "{kind: pairs, a: [e0, e1], b: [e2, e3]}"),
        ],
    },
];

/// Other games with luck values.
const OF_LUCK: [Table; 2] = [
    Table {
        game: "stud",
        bots: ["random", "random"],
        mean: 0.0,
        deals: 12,
        formats: &[("line-ups", 4, "{kind: line-ups, size: 2}")],
    },
    Table {
        game: "tanhinmin",
        bots: ["random", "random"],
        mean: 2.0,
        deals: 12,
        formats: &[("line-ups", 4, "{kind: line-ups, size: 3}")],
    },
];

/// Games with two equal bots that meet two other, weaker ones: the neighbours of a bot at the table
/// must not matter.
const MIXED: [(&str, &str, &str, &str); 4] = [
    ("holdem", "honest", "random", "{kind: line-ups, size: 3}"),
    ("stud", "honest", "random", "{kind: line-ups, size: 3}"),
    ("tanhinmin", "boss", "random", "{kind: line-ups, size: 3}"),
    ("bridge", "cheap", "random", "{kind: line-ups, size: 4}"),
];

/// Rules that may end a league early.
const RULES: [(&str, &str); 2] = [
    (
        ", confidence sequence",
        "sequential: {rule: confidence-sequence}\n",
    ),
    (
        ", probability ratio",
        "sequential: {rule: sprt, h0: 0, h1: 0.3}\n",
    ),
];

/// Races, by goal.
const RACES: [(&str, &str); 3] = [
    ("race for the best", "goal: best"),
    ("race for the three best", "top: 3"),
    ("race for the ranking", "goal: ranking"),
];

/// Other formats whose pairings depend on results.
const ADAPTIVE: [(&str, &str); 3] = [
    ("swiss", "{kind: swiss, rounds: 4, size: 5}"),
    ("knockout", "{kind: knockout, size: 5, through: 2}"),
    ("ladder", "{kind: ladder, size: 5}"),
];

/// Returns all kinds.
pub(crate) fn all() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for table in &TABLES {
        for &format in table.formats {
            kinds.extend(Deals::ALL.map(|deals| of(table, format, deals)));
        }
    }
    // Bridge: without duplicate deals, declarers and defenders are not equal.
    for deals in Deals::ALL {
        let sides = (!deals.is_duplicate()).then_some(2);
        kinds.push(Kind {
            sides,
            ..bridge(deals)
        });
    }
    kinds.push(Kind {
        sides: Some(2),
        blocks: 2 * GIVEN,
        ..bridge(Deals::Given)
    });
    for (game, bot, other, format_yaml) in MIXED {
        for deals in [Deals::Own, Deals::Duplicate] {
            kinds.push(Kind {
                game,
                bot,
                format: "unequal line-ups",
                entrants: 4,
                format_yaml: format_yaml.into(),
                deals,
                blocks: 30,
                sides: Some(2),
                other_bot: Some(other),
                ..line_ups()
            });
        }
    }
    // A challenger of this race is also in the field, next to a weaker bot.
    kinds.push(Kind {
        game: "holdem",
        bot: "honest",
        format: "race with a challenger in the field",
        entrants: 3,
        format_yaml: "{kind: race, challengers: [e0, e1], field: [e0, e2], goal: ranking}".into(),
        blocks: 300,
        sides: Some(2),
        other_bot: Some("random"),
        ..line_ups()
    });
    // Few blocks, and more.
    for blocks in [2, 3, 20] {
        for deals in [Deals::Own, Deals::Shared] {
            kinds.push(Kind {
                blocks,
                deals,
                ..line_ups()
            });
        }
    }
    // Every block is a match for all chips: it is only won or lost.
    for (entrants, blocks) in [(2, 13), (6, 14)] {
        kinds.push(Kind {
            game: "holdem",
            bot: "random",
            format: "matches",
            entrants,
            format_yaml: "{kind: line-ups, size: 2}\noptions: {stack: 600, carry: true, rebuy: 0}"
                .into(),
            blocks,
            deals_a_block: 60,
            mean: 0.0,
            ..line_ups()
        });
    }
    // The minimum number of blocks for luck adjustment, and more.
    for table in TABLES.iter().chain(&OF_LUCK) {
        for &format in table.formats.iter().take(2) {
            for deals in Deals::ALL {
                // With shared deals, a league has as many clusters as blocks.
                for blocks in [40, 80] {
                    kinds.push(Kind {
                        blocks,
                        without_luck: true,
                        ..of(table, format, deals)
                    });
                }
            }
        }
    }
    for rule in RULES {
        for deals in [Deals::Own, Deals::Shared] {
            kinds.push(Kind {
                entrants: 6,
                blocks: 60,
                deals,
                rule: Some(rule),
                ..line_ups()
            });
        }
    }
    for (format, goal) in RACES {
        let table = "challengers: [e0, e1, e2, e3, e4, e5, e6, e7], field: [e8, e8, e8, e8]";
        let format_yaml = format!("{{kind: race, {table}, {goal}}}");
        for deals in [Deals::Own, Deals::Shared] {
            let format_yaml = format_yaml.clone().into();
            kinds.push(Kind {
                format,
                entrants: 9,
                format_yaml,
                blocks: 60,
                deals,
                ..line_ups()
            });
        }
    }
    for (format, format_yaml) in ADAPTIVE {
        kinds.push(Kind {
            format,
            entrants: 10,
            format_yaml: format_yaml.into(),
            ..line_ups()
        });
    }
    kinds
}

/// Returns a kind with ten blocks of a format of a game.
fn of(
    table: &Table,
    (format, entrants, yaml): (&'static str, usize, &'static str),
    deals: Deals,
) -> Kind {
    Kind {
        game: table.game,
        bot: table.bots[usize::from(deals.is_duplicate())],
        format,
        entrants,
        format_yaml: yaml.into(),
        deals,
        deals_a_block: table.deals,
        mean: table.mean,
        ..line_ups()
    }
}

/// Returns the first deals of a league's list, each of which is played twice.
fn given() -> String {
    let file = support::project().join("leagues/bridge-example-any.pbn");
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let deals = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal ")?.strip_suffix(']'));
    deals.take(GIVEN).collect::<Vec<_>>().join(", ")
}

fn line_ups() -> Kind {
    Kind {
        game: "daihinmin",
        bot: "base",
        format: "line-ups",
        entrants: 7,
        format_yaml: "{kind: line-ups, size: 5}".into(),
        deals: Deals::Own,
        blocks: 10,
        deals_a_block: 20,
        rule: None,
        mean: 3.0,
        without_luck: false,
        sides: None,
        other_bot: None,
    }
}

fn bridge(deals: Deals) -> Kind {
    Kind {
        game: "bridge",
        bot: "random",
        format: "pairs",
        entrants: 4,
        format_yaml: "{kind: pairs, a: [e0, e1], b: [e2, e3]}".into(),
        deals,
        deals_a_block: 4,
        mean: 0.0,
        ..line_ups()
    }
}
