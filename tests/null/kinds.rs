//! The kinds of leagues that are played: formats, games, and how deals are dealt.

use crate::support;
use std::borrow::Cow;
use std::fmt;

/// How the deals of line-ups hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deals {
    /// Every block of every line-up has its own.
    Own,
    /// The same block of all line-ups has the same.
    Shared,
    /// Every deal is played in all rotations.
    Duplicate,
    /// Both.
    SharedDuplicate,
    /// A list of deals that the league gives, played by all.
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

    /// Whether every deal is played in all rotations.
    fn is_duplicate(self) -> bool {
        matches!(self, Deals::Duplicate | Deals::SharedDuplicate)
    }
}

/// A kind of league.
pub(crate) struct Kind {
    game: &'static str,
    bot: &'static str,
    format: &'static str,
    /// Names of the entrants.
    entrants: usize,
    /// The format, in the league's words.
    format_yaml: Cow<'static, str>,
    deals: Deals,
    blocks: usize,
    /// Deals of a block.
    deals_a_block: u32,
    /// What else the league says, and its name.
    rule: Option<(&'static str, &'static str)>,
    /// The sum of all players' payoffs over their number: the true mean of each.
    mean: f64,
    /// Whether luck is taken away from scores.
    without_luck: bool,
    /// So many of the first entrants sit on one side, the rest on the other; only those of one
    /// side are equals.
    sides: Option<usize>,
}

impl Kind {
    /// The league of that number.
    pub(crate) fn yaml(&self, number: u64) -> String {
        let names: Vec<String> = (0..self.entrants)
            .map(|n| format!("{{name: e{n}, bot: {}}}", self.bot))
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

    /// The mean that every entrant truly has; `None` where the sides of a table are not equals.
    pub(crate) fn mean(&self) -> Option<f64> {
        self.sides.is_none().then_some(self.mean)
    }

    /// Whether two entrants are equals.
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

    /// Whether a rule may end the league before its blocks are played: what fixed samples promise
    /// is then not promised.
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

/// Leagues of a kind differ by their seed alone.
const SEED: u64 = 5005;
/// Deals of a list that a league gives.
const GIVEN: usize = 12;

/// A game with its formats.
struct Table {
    game: &'static str,
    /// Who plays where deals are not duplicated, and where they are: a bot that never draws lots
    /// plays duplicated deals alike in all rotations, and nothing varies.
    bots: [&'static str; 2],
    mean: f64,
    deals: u32,
    /// Name, entrants and YAML of formats.
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

/// Other games that tell of luck.
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

/// Races, by their goal.
const RACES: [(&str, &str); 3] = [
    ("race for the best", "goal: best"),
    ("race for the three best", "top: 3"),
    ("race for the ranking", "goal: ranking"),
];

/// Other formats that decide by results who meets whom.
const ADAPTIVE: [(&str, &str); 3] = [
    ("swiss", "{kind: swiss, rounds: 4, size: 5}"),
    ("knockout", "{kind: knockout, size: 5, through: 2}"),
    ("ladder", "{kind: ladder, size: 5}"),
];

/// Every kind.
pub(crate) fn all() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for table in &TABLES {
        for &format in table.formats {
            kinds.extend(Deals::ALL.map(|deals| of(table, format, deals)));
        }
    }
    // Bridge: where deals are not duplicated, declarers are no equals of defenders.
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
    // As few blocks as luck can be told from, and more.
    for table in TABLES.iter().chain(&OF_LUCK) {
        for &format in table.formats.iter().take(2) {
            for deals in Deals::ALL {
                // Of shared deals a league has no more than it has blocks.
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

/// Ten blocks of a format of a game.
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
        blocks: 10,
        deals_a_block: table.deals,
        rule: None,
        mean: table.mean,
        without_luck: false,
        sides: None,
    }
}

/// The first deals of a league's list, each of which comes up twice.
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
