//! Tests that scripts receive the contents of the data frames. The expected tables are written by
//! hand, independently of the descriptions that the decoder is generated from.

use super::table::{ask, begin, five, open, seat, single, start, view};
use hattari_agents::agent::{Notice, Observation};
use hattari_plugin::games::daihinmin::{Action, Daihinmin, Event, NONE, View, card, effect, kind};
use rand::{Rng, SeedableRng};
use std::fmt::Write;

/// Compares two nested tables.
const SAME: &str = r#"
local function same(path, a, b)
    if type(a) ~= "table" or type(b) ~= "table" then
        if a ~= b then error(`{path}: {a} is not {b}`, 0) end
        return
    end
    for key, value in a do same(`{path}.{key}`, value, b[key]) end
    for key, value in b do same(`{path}.{key}`, a[key], value) end
end
"#;

const RULES: [(&str, u8); 8] = [
    ("revolution", 1),
    ("lock", 2),
    ("sequences", 4),
    ("eight_cut", 8),
    ("eleven_back", 16),
    ("five_skip", 32),
    ("six_reverse", 64),
    ("backwards", 128),
];

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("{{{}}}", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn cards(set: u64) -> String {
    list(
        card::cells(set)
            .filter_map(card::name)
            .map(|name| format!("{name:?}")),
    )
}

fn flags(mask: u8, names: &[(&str, u8)]) -> String {
    list(
        names
            .iter()
            .map(|(name, bit)| format!("{name} = {}", mask & bit != 0)),
    )
}

fn ordinals(numbers: [u8; 5]) -> String {
    list(numbers.map(|number| {
        if number == NONE {
            "false".into()
        } else {
            (number + 1).to_string()
        }
    }))
}

fn seats(mask: u8) -> String {
    list((0..5).map(|seat| (mask & 1 << seat != 0).to_string()))
}

fn nil_or_next(number: u8) -> String {
    if number == NONE {
        "nil".into()
    } else {
        (u32::from(number) + 1).to_string()
    }
}

fn action(action: &Action) -> String {
    if bytemuck::bytes_of(action).iter().all(|&byte| byte == 0) {
        return "nil".into();
    }
    let kinds = ["pass", "single", "group", "sequence", "give"];
    let suits: String = ['S', 'H', 'D', 'C']
        .iter()
        .enumerate()
        .filter(|(i, _)| action.suits & 1 << i != 0)
        .map(|(_, c)| c)
        .collect();
    let rank = match action.kind {
        kind::PASS => "0".into(),
        kind::GIVE => match card::cells(action.cards & card::PACK).next() {
            Some(card::JOKER) => "16".into(),
            Some(cell) => (card::column(cell) + 2).to_string(),
            None => "nil".into(),
        },
        _ => (u32::from(action.column) + if action.column == 15 { 1 } else { 2 }).to_string(),
    };
    list([
        format!("cards = {}", cards(action.cards)),
        format!("cells = {}", cards(action.cells)),
        format!("kind = {:?}", kinds[usize::from(action.kind)]),
        format!("count = {}", action.count),
        format!("column = {}", action.column),
        format!("suits = {suits:?}"),
        format!("rank = {rank}"),
        format!(
            "joker = {}",
            card::name(action.joker).map_or("nil".into(), |name| format!("{name:?}"))
        ),
        format!(
            "effects = {}",
            flags(
                action.effects,
                &[
                    ("cut", 1),
                    ("revolution", 2),
                    ("lock", 4),
                    ("eleven_back", 8)
                ]
            )
        ),
        "text = 1".into(),
    ])
}

fn event(event: &Event) -> String {
    list([
        format!(
            "kind = {:?}",
            ["action", "lead", "out"][usize::from(event.kind)]
        ),
        format!("seat = {}", nil_or_next(event.seat)),
        format!("place = {}", nil_or_next(event.place)),
        format!(
            "flags = {}",
            flags(
                event.flags,
                &[
                    ("empty", 1),
                    ("lock", 2),
                    ("revolution", 4),
                    ("eleven_back", 8)
                ]
            )
        ),
        format!("action = {}", action(&event.action)),
    ])
}

fn expected(view: &View) -> String {
    list([
        format!("deal = {}", view.deal),
        format!("deals = {}", view.deals),
        format!("seat = {}", nil_or_next(view.seat)),
        format!(
            "phase = {:?}",
            ["exchange", "play", "over"][usize::from(view.phase)]
        ),
        format!("give = {}", view.give),
        format!("revolution = {}", view.revolution != 0),
        format!("lock = {}", view.lock != 0),
        format!("eleven_back = {}", view.eleven_back != 0),
        format!("fresh = {}", view.fresh != 0),
        format!("table_seat = {}", nil_or_next(view.table_seat)),
        format!("passed = {}", seats(view.passed)),
        format!("out = {}", seats(view.out)),
        format!("ask_last = {}", view.ask_last != 0),
        format!("rules = {}", flags(view.rules, &RULES)),
        format!("hand = {}", cards(view.hand)),
        format!("gone = {}", cards(view.gone)),
        format!("given = {}", cards(view.given)),
        format!("received = {}", cards(view.received)),
        format!("table = {}", action(&view.table)),
        format!(
            "points = {}",
            list(view.points.map(|points| points.to_string()))
        ),
        format!("players = {}", ordinals(view.players)),
        format!(
            "cards_left = {}",
            list(view.cards_left.map(|left| left.to_string()))
        ),
        format!("titles = {}", ordinals(view.titles)),
        format!("places = {}", ordinals(view.places)),
    ])
}

/// Returns a record of random bytes with valid codes.
fn random_action(rng: &mut impl Rng) -> Action {
    let mut bytes = [0; size_of::<Action>()];
    rng.fill_bytes(&mut bytes);
    let mut action: Action = bytemuck::cast(bytes);
    // In play most records are of few kinds: half of the joker fields and of the sets are empty.
    if action.suits & 16 != 0 {
        action.joker = NONE;
        action.cells = 0;
    }
    action.kind %= 5;
    action.column %= 16;
    if action.kind == kind::GIVE {
        // The rank is that of the first card, and only cards of the pack have one.
        action.cards &= card::PACK;
    }
    action
}

fn random_view(rng: &mut impl Rng) -> View {
    let mut bytes = [0; size_of::<View>()];
    rng.fill_bytes(&mut bytes);
    let mut view: View = bytemuck::cast(bytes);
    view.phase = 1 + view.phase % 2;
    view.table = if view.lock.is_multiple_of(2) {
        bytemuck::Zeroable::zeroed()
    } else {
        random_action(rng)
    };
    for number in view
        .players
        .iter_mut()
        .chain(&mut view.titles)
        .chain(&mut view.places)
        .chain([&mut view.table_seat])
    {
        *number = if number.is_multiple_of(3) {
            NONE
        } else {
            *number % 5
        };
    }
    view
}

fn random_event(rng: &mut impl Rng) -> Event {
    let mut event: Event = bytemuck::Zeroable::zeroed();
    event.kind = (rng.next_u32() % 3) as u8;
    event.seat = (rng.next_u32() % 5) as u8;
    event.flags = (rng.next_u32() % 16) as u8;
    event.place = if event.kind == 2 { 3 } else { NONE };
    if event.kind == 0 {
        event.action = random_action(rng);
    }
    event
}

#[test]
fn script_tables_have_the_contents_of_the_frames() {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    for round in 0..12 {
        let cases: Vec<_> = (0..6)
            .map(|_| {
                let n_events = rng.next_u32() % 5;
                let events: Vec<Event> = (0..n_events).map(|_| random_event(&mut rng)).collect();
                let actions: Vec<Action> = (0..1 + rng.next_u32() % 9)
                    .map(|_| random_action(&mut rng))
                    .collect();
                (random_view(&mut rng), events, actions)
            })
            .collect();
        let mut source = format!("{SAME}\nlocal expected = {{\n");
        for (view, events, actions) in &cases {
            let (events, actions) = (
                list(events.iter().map(event)),
                list(actions.iter().map(action)),
            );
            writeln!(
                source,
                "{{ view = {}, history = {events}, legal = {actions} }},",
                expected(view)
            )
            .unwrap();
        }
        // Half of the rounds read field by field, the others iterate over the view.
        let all = if round % 2 == 0 {
            "for key in case.view do seen[key] = view[key] end"
        } else {
            "for key, value in view do if key ~= 'history' then seen[key] = value end end"
        };
        write!(
            source,
            "}}
            local n = 0
            local function text_is_one(move)
                if type(move.text) ~= 'string' then error('no text', 0) end
                local copy = table.clone(move)
                copy.text = 1
                return copy
            end
            return {{ act = function(view, legal)
                n += 1
                local case = expected[n]
                local seen = {{}}
                {all}
                if seen.table then seen.table = text_is_one(seen.table) end
                same('view', seen, case.view)
                local moves, history = {{}}, {{}}
                for i, move in legal do moves[i] = text_is_one(move) end
                same('legal', moves, case.legal)
                for i, event in view.history do
                    history[i] = table.clone(event)
                    if event.action then history[i].action = text_is_one(event.action) end
                end
                same('history', history, case.history)
                return n
            end }}"
        )
        .unwrap();
        let mut agent = open(&source);
        start(&mut *agent, 1).unwrap();
        for (number, (view, events, actions)) in cases.iter().enumerate() {
            begin(&mut *agent, view);
            let many = [actions.clone(), vec![Action::PASS; 9]].concat();
            let actions = if actions.len() > number {
                &actions[..]
            } else {
                &many[..actions.len()]
            };
            let answer = ask(&mut *agent, view, events, actions);
            match answer {
                Ok((index, _)) => assert_eq!(index, number),
                // There are more cases than actions. The index is then out of range, but the
                // comparison was successful.
                Err(agent_error) => assert!(
                    agent_error.message.starts_with("the answer must be"),
                    "{}",
                    agent_error.message
                ),
            }
        }
    }
}

#[test]
fn equal_moves_share_one_frozen_table() {
    let mut agent = seat(
        "local first
        return { act = function(view, legal)
            first = first or legal[3]
            assert(legal[3] == first and view.table == first and view.history[1].action == first)
            assert(table.isfrozen(first) and table.isfrozen(first.cards) and table.isfrozen(first.effects))
            return 3
        end }",
    );
    let mut view = view();
    view.table = five()[2];
    let mut played: Event = bytemuck::Zeroable::zeroed();
    played.action = five()[2];
    for _ in 0..3 {
        assert_eq!(ask(&mut *agent, &view, &[played], &five()), Ok((2, 0)));
    }
    // A different effect makes a different move.
    let mut locking = five();
    locking[2].effects = effect::LOCK;
    assert!(ask(&mut *agent, &view, &[played], &locking).is_err());
}

#[test]
fn moves_have_texts_and_ranks() {
    let mut run = Action {
        kind: kind::SEQUENCE,
        count: 3,
        column: 3,
        suits: 1,
        ..Action::PASS
    };
    run.cells = card::parse_set("S5 S6 S7").unwrap();
    run.cards = card::parse_set("S6 S7 JK").unwrap();
    run.joker = card::parse("S5").unwrap();
    let mut five_cards = Action {
        kind: kind::GROUP,
        count: 5,
        column: 5,
        suits: 15,
        ..Action::PASS
    };
    five_cards.cells = card::parse_set("S7 H7 D7 C7").unwrap();
    five_cards.cards = five_cards.cells | card::JOKER_SET;
    five_cards.joker = card::JOKER;
    let lone = Action {
        kind: kind::SINGLE,
        count: 1,
        column: 15,
        cards: card::JOKER_SET,
        joker: card::JOKER,
        ..Action::PASS
    };
    let mut give = Action {
        kind: kind::GIVE,
        count: 2,
        ..Action::PASS
    };
    give.cards = card::parse_set("H9 C2").unwrap();
    let mut agent = seat(
        r#"return { act = function(view, legal)
            local texts = {}
            for i, move in legal do texts[i] = `{move.text}/{move.rank}/{move.suits}` end
            error(table.concat(texts, ", "), 0)
        end }"#,
    );
    let answer = ask(
        &mut *agent,
        &view(),
        &[],
        &[Action::PASS, single("DT"), run, five_cards, lone, give],
    );
    let text = answer.unwrap_err().message;
    let line = text.lines().next().unwrap();
    assert_eq!(
        line,
        "pass/0/, DT/10/D, JK=S5 S6 S7/5/S, S7 H7 D7 C7 JK/7/SHDC, JK/16/, H9 C2/9/"
    );
}

#[test]
fn the_history_restarts_with_every_deal_and_is_read_only() {
    let mut agent = seat(
        "local lengths = {}
        return { act = function(view, legal)
            table.insert(lengths, #view.history)
            assert(view.history == view.history)
            for _, change in { table.sort, table.clear, table.remove } do
                local ok, why = pcall(change, view.history)
                assert(not ok and string.find(tostring(why), 'readonly', 1, true), why)
            end
            if #lengths == 4 then error(table.concat(lengths, ' '), 0) end
            return 1
        end }",
    );
    let event: Event = bytemuck::Zeroable::zeroed();
    let events = vec![event; 1000];
    for n in [3, 600] {
        ask(&mut *agent, &view(), &events[..n], &five()).unwrap();
    }
    begin(&mut *agent, &view());
    ask(&mut *agent, &view(), &events[..1], &five()).unwrap();
    let text = ask(&mut *agent, &view(), &events, &five())
        .unwrap_err()
        .message;
    assert!(text.starts_with("3 600 1 1000"), "{text}");
}

#[test]
fn deal_end_receives_the_view_and_the_payoffs() {
    let mut agent = seat(
        "local seen
        return {
            deal_end = function(view, payoffs) seen = `{view.seat} {table.concat(payoffs, ',')} {#view.history}` end,
            act = function() error(seen, 0) end,
        }",
    );
    let (view, event): (View, Event) = (view(), bytemuck::Zeroable::zeroed());
    let payoffs = [5i64, -4, 3, 2, 1];
    let history = [event];
    let seen = Observation::of::<Daihinmin>(&view, &history);
    agent.notify(&Notice::DealEnd(seen, &payoffs)).unwrap();
    let text = ask(&mut *agent, &view, &[], &five()).unwrap_err().message;
    assert!(text.starts_with("3 5,-4,3,2,1 1"), "{text}");
}

#[test]
fn a_bot_without_exchange_gives_its_weakest_cards() {
    let mut agent = seat("return { act = function() error('not asked') end }");
    let mut view = view();
    view.phase = 0;
    view.give = 2;
    let give = |names: &str| Action {
        kind: kind::GIVE,
        count: 2,
        cards: card::parse_set(names).unwrap(),
        ..Action::PASS
    };
    let legal = ["CQ JK", "S3 JK", "D7 CQ", "S3 H7", "H7 D7", "S3 D7"].map(give);
    assert_eq!(ask(&mut *agent, &view, &[], &legal), Ok((3, 0)));

    let mut agent = seat(
        "return { act = function() return 1 end, exchange = function(view, legal) return #legal end }",
    );
    assert_eq!(ask(&mut *agent, &view, &[], &legal), Ok((5, 0)));
}
