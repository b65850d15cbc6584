//! Features of the critic: a position with all cards visible, from the perspective of the seat to
//! act.

use hattari_plugin::games::daihinmin::card::{COLUMN_8, CardSet, JOKER_SET, PACK, SUITED};
use hattari_plugin::games::daihinmin::{PLAYERS, Position};
use hattari_search::daihinmin::policy::{CARDS, Groups, Plan, plan};

/// The feature groups of a position with all cards visible. No player can see them.
pub(crate) enum Open {}

/// Number of feature groups.
pub(crate) const GROUPS: usize = 35;

impl Groups<GROUPS> for Open {
    const NAMES: [&'static str; GROUPS] = [
        "own", "cards", "first", "second", "third", "fourth", "plan", "plan-1", "plan-2", "plan-3",
        "plan-4", "top", "top-1", "top-2", "top-3", "top-4", "rank-1", "rank-2", "rank-3",
        "rank-4", "rank-5", "rank-6", "rank-7", "rank-8", "rank-9", "rank-10", "rank-11",
        "rank-12", "rank-13", "table", "out", "order", "fastest", "fewest", "state",
    ];
    const SIZES: [u16; GROUPS] = [
        18, 24, 96, 96, 96, 96, 192, 192, 192, 192, 192, 64, 64, 64, 64, 64, 25, 25, 25, 25, 25,
        25, 25, 25, 25, 25, 25, 25, 25, 60, 40, 200, 128, 128, 32,
    ];
    const HIDDEN: bool = true;
}

/// Returns the features of a position for `seat`, as indices within their groups. `titles` is
/// indexed by seat.
pub(crate) fn feature_indices(
    position: &Position,
    seat: u8,
    titles: &[u8; PLAYERS],
) -> [u16; GROUPS] {
    let table = SharedData {
        position,
        about: PACK & !position.cards_played(),
        leads: position.situation().table.is_pass(),
    };
    let mut numbers = [0; GROUPS];
    // Estimated turns until each hand is empty, and number of cards, by turn order. Seats that are
    // out keep the largest value.
    let (mut slow, mut left) = ([7; PLAYERS], [7; PLAYERS]);
    let state = if table.leads {
        0
    } else {
        1 + u16::from(position.last_seat() == seat)
    };
    for turn in 0..PLAYERS {
        let other = (usize::from(seat) + turn) % PLAYERS;
        let hand = position.hands()[other];
        let count = hand.count_ones();
        let cards = CARDS[(count & 15) as usize];
        let title = u16::from(titles[other].min(5));
        if turn == 0 {
            numbers[0] = title * 3 + state;
            numbers[1] = (count.min(11) as u16) << 1 | u16::from(table.leads);
        } else {
            numbers[1 + turn] =
                title << 4 | cards << 1 | u16::from(position.seats_passed() >> other & 1);
        }
        let plan = table.plan(hand);
        if hand != 0 {
            (slow[turn], left[turn]) = (u16::from(plan.beatable().min(6)), cards);
        }
        numbers[6 + turn] = (u16::from(plan.beatable().min(5)) << 3 | u16::from(plan.turns.min(7)))
            << 2
            | u16::from(plan.sure.min(3));
        numbers[11 + turn] = table.top(hand);
    }
    let own = position.hand(seat);
    for rank in 0..13 {
        let column = if position.revolution() {
            13 - rank
        } else {
            1 + rank
        };
        numbers[16 + rank] = held(own, column, 4) * 5 + held(table.about & !own, column, 4);
    }
    let out = position.seats_out().count_ones().min(4) as u16;
    let owner = if table.leads {
        0
    } else {
        (u16::from(position.last_seat()) + 5 - u16::from(seat)) % 5
    };
    let waiting = (ALL & !(position.seats_out() | position.seats_passed() | 1 << seat))
        .count_ones()
        .min(3) as u16;
    let faster = slow[1..]
        .iter()
        .map(|&other| u16::from(other < slow[0]))
        .sum::<u16>();
    let least = |of: &[u16; PLAYERS]| of[1..].iter().copied().min().unwrap_or(0);
    numbers[29] = (owner << 2 | waiting) * 3 + state;
    numbers[30] = out << 3 | slow[0];
    numbers[31] = (slow[0] * 5 + faster) * 5 + out;
    numbers[32] = (slow[0] << 3 | least(&slow)) << 1 | u16::from(table.leads);
    numbers[33] = (left[0] << 3 | least(&left)) << 1 | u16::from(table.leads);
    let situation = position.situation();
    numbers[34] = u16::from(position.revolution()) << 4
        | u16::from(situation.lock) << 3
        | u16::from(situation.table.count.min(3)) << 1
        | u16::from(table.leads);
    numbers
}

/// The parts of a position from which the features of every seat are computed.
struct SharedData<'a> {
    position: &'a Position,
    /// All cards that are still in hands.
    about: CardSet,
    leads: bool,
}

impl SharedData<'_> {
    fn plan(&self, hand: CardSet) -> Plan {
        plan(
            hand,
            self.about & !hand,
            self.position.revolution(),
            self.position.situation().rules,
        )
    }

    /// Returns a code for the strongest cards of a hand: joker, strongest rank, eights, second
    /// rank.
    fn top(&self, hand: CardSet) -> u16 {
        let [first, second] = if self.position.revolution() {
            [1, 2]
        } else {
            [13, 12]
        };
        u16::from(hand & JOKER_SET != 0) << 5
            | held(hand, first, 3) << 3
            | held(hand, COLUMN_8.into(), 1) << 2
            | held(hand, second, 3)
    }
}

/// Returns the number of cards in a column, limited to `most`.
fn held(hand: CardSet, column: usize, most: u32) -> u16 {
    (((hand & SUITED) >> (4 * column) & 15)
        .count_ones()
        .min(most)
        & 7) as u16
}

/// Bit set of all seats.
const ALL: u8 = (1 << PLAYERS) - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::daihinmin::{Action, NONE};

    /// Calls `each` for the positions of deals in which the seat to act varies its choice.
    fn positions(each: &mut impl FnMut(&Position, u8)) {
        let cells: Vec<u32> = (0..64).filter(|cell| PACK >> cell & 1 != 0).collect();
        let mut actions: Vec<Action> = Vec::new();
        for deal in 0..40_u8 {
            let start = usize::from(deal);
            let mut hands = [0; PLAYERS];
            for (card, cell) in cells.iter().enumerate() {
                // 17 and the number of cards have no common divisor, so every card is dealt once.
                let place = (card * 17 + start * 5) % cells.len();
                hands[place % PLAYERS] |= 1 << cell;
            }
            let mut position = Position::before_play(hands, 0x7f, true, 20, deal % 5);
            let mut step = start;
            while let Some(seat) = position.to_act() {
                each(&position, seat);
                position.legal(&mut actions);
                step += 1;
                let action = actions[(step * 7 + start) % actions.len()];
                position.play(&action);
            }
        }
    }

    #[test]
    fn features_stay_within_their_groups_and_locate_all_cards() {
        let mut seen = 0;
        positions(&mut |position, seat| {
            let numbers = feature_indices(position, seat, &[0, 1, 2, 3, NONE]);
            for (group, (number, size)) in numbers.iter().zip(Open::SIZES).enumerate() {
                assert!(*number < size, "{}: {number}", Open::NAMES[group]);
            }
            let held: u16 = numbers[16..29].iter().map(|number| number / 5).sum();
            let others: u16 = numbers[16..29].iter().map(|number| number % 5).sum();
            let suited = |hands: CardSet| ((hands & SUITED).count_ones() & 63) as u16;
            let all = position.hands().iter().fold(0, |all, hand| all | hand);
            assert_eq!(
                (held, held + others),
                (suited(position.hand(seat)), suited(all))
            );
            seen += 1;
        });
        assert!(seen > 1000, "{seen}");
    }
}
