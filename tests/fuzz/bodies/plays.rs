//! Text notation of cards and plays. An input has up to four lines: a play, a hand, the play on the
//! table, and letters for the situation (`l` locked, `r` reversed, `s` without sequences).

use hattari_plugin::games::daihinmin::card::{self, PACK};
use hattari_plugin::games::daihinmin::moves::legal_plays;
use hattari_plugin::games::daihinmin::{Action, Situation, check_play, kind, rule};

/// Parsed text can be written and parsed again. A play is accepted if and only if it is legal.
pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.splitn(4, '\n');
    let mut next = || lines.next().unwrap_or_default();
    let (play, hand, table, flags) = (next(), next(), next(), next());
    for words in [play, hand, table] {
        match card::parse_set(words) {
            Ok(set) => {
                assert_eq!(set & !PACK, 0, "{words:?} names what is not in the pack");
                assert_eq!(card::parse_set(&card::describe(set)), Ok(set), "{words:?}");
            }
            Err(why) => assert!(!why.is_empty()),
        }
    }
    let parsed = play.parse::<Action>();
    if let Ok(action) = &parsed {
        assert_eq!(action.to_string().parse().as_ref(), Ok(action), "{play:?}");
        assert_eq!(action.count as u32, action.cards.count_ones());
    }
    let Ok(hand) = card::parse_set(hand) else {
        return;
    };
    let situation = Situation {
        // A play that cannot be on the table, or has cards of the hand, is ignored.
        table: table
            .parse()
            .ok()
            .filter(|on: &Action| {
                on.cards & hand == 0 && (on.kind != kind::SEQUENCE || !flags.contains('s'))
            })
            .unwrap_or(Action::PASS),
        lock: flags.contains('l'),
        reversed: flags.contains('r'),
        rules: if flags.contains('s') {
            0xf & !rule::SEQUENCES
        } else {
            0xf
        },
    };
    let mut legal = Vec::new();
    legal_plays(hand, &situation, &mut legal);
    assert!(
        legal[0].is_pass()
            && legal[1..]
                .iter()
                .all(|action| action.cards & !hand == 0 && action.cards != 0)
    );
    for action in &legal {
        // Every legal play can be written, and parsing it gives the same play.
        let told = action.to_string();
        let read = told
            .parse::<Action>()
            .unwrap_or_else(|why| panic!("{told}: {why}"));
        assert_eq!(
            (read.cards, read.cells, read.kind, read.joker),
            (action.cards, action.cells, action.kind, action.joker)
        );
    }
    let Ok(action) = parsed else { return };
    let same = |other: &&Action| {
        (other.kind, other.cards, other.joker) == (action.kind, action.cards, action.joker)
    };
    let found = legal.iter().find(same);
    if action.is_pass() {
        return;
    }
    match (check_play(&action, hand, &situation), found) {
        (Ok(judged), Some(legal)) => assert_eq!(&judged, legal, "{play:?}"),
        (Err(_), None) => {}
        (judged, found) => panic!("{play:?}: judged {judged:?}, among the legal ones: {found:?}"),
    }
}
