//! The data that a call passes to a bot. The table has typed records of one game. Backends serve
//! all games, so they pass the records on as bytes. Agents for one game convert the bytes to
//! records of that game.

#![forbid(unsafe_code)]

use hattari_plugin::games::{GameTypes, frame::Framed};

/// Contiguous records of one type. All have the same size and no padding.
#[derive(Clone, Copy, Debug, Default)]
pub struct Records<'a> {
    bytes: &'a [u8],
    count: u32,
    stride: u32,
}

impl<'a> Records<'a> {
    /// Borrows typed records as bytes.
    ///
    /// # Panics
    /// Panics if there are more than `u32::MAX` records.
    #[inline]
    pub fn of<T: Framed>(records: &'a [T]) -> Records<'a> {
        let count =
            u32::try_from(records.len()).expect("a deal has a few thousand records at most");
        #[expect(clippy::cast_possible_truncation, reason = "records are small")]
        let stride = size_of::<T>() as u32;
        Records {
            bytes: bytemuck::cast_slice(records),
            count,
            stride,
        }
    }

    /// Borrows `bytes` as `count` records of `stride` bytes each. Returns `None` if the length of
    /// `bytes` does not match.
    pub(crate) fn new(bytes: &'a [u8], count: u32, stride: u32) -> Option<Records<'a>> {
        let holds = (count as usize).checked_mul(stride as usize) == Some(bytes.len());
        holds.then_some(Records {
            bytes,
            count,
            stride,
        })
    }

    /// Returns the number of records.
    #[inline]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the size of a record in bytes.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.stride
    }

    /// Returns the bytes of all records in order.
    #[inline]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the records as type `T`; `None` if their size or alignment is not that of `T`.
    #[inline]
    pub(crate) fn cast<T: Framed>(&self) -> Option<&'a [T]> {
        // An empty slice may have an unaligned address.
        if self.count == 0 {
            return Some(&[]);
        }
        if self.stride as usize != size_of::<T>() {
            return None;
        }
        bytemuck::try_cast_slice(self.bytes).ok()
    }

    /// Returns record `index` as type `T`; `None` if it does not exist, or if its size or alignment
    /// is not that of `T`.
    #[inline]
    pub(crate) fn get<T: Framed>(&self, index: u32) -> Option<&'a T> {
        if self.stride as usize != size_of::<T>() {
            return None;
        }
        let start = index as usize * size_of::<T>();
        self.bytes
            .get(start..start + size_of::<T>())
            .and_then(|bytes| bytemuck::try_from_bytes(bytes).ok())
    }
}

/// The information that a seat has about the deal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observation<'a> {
    /// The game's view record.
    pub view: &'a [u8],
    /// Public event records of the deal so far.
    pub history: Records<'a>,
}

impl<'a> Observation<'a> {
    /// Borrows a view and a history of the game `G`.
    #[inline]
    pub fn of<G: GameTypes>(view: &'a G::View, history: &'a [G::Event]) -> Observation<'a> {
        Observation {
            view: bytemuck::bytes_of(view),
            history: Records::of(history),
        }
    }

    /// Returns view and history as records of the game `G`; `None` if they belong to another game.
    pub(crate) fn cast<G: GameTypes>(&self) -> Option<(&'a G::View, &'a [G::Event])> {
        bytemuck::try_from_bytes(self.view)
            .ok()
            .zip(self.history.cast())
    }

    /// Returns view and history as records of the game `G`.
    ///
    /// # Panics
    /// Panics if they belong to another game.
    pub fn read<G: GameTypes>(&self) -> (&'a G::View, &'a [G::Event]) {
        self.cast::<G>()
            .unwrap_or_else(|| panic_for_other_game::<G>())
    }
}

/// A decision to be made.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The information that the seat has about the deal.
    pub seen: Observation<'a>,
    /// Action records of the legal actions.
    pub legal: Records<'a>,
    /// Time limit of the decision in microseconds; 0 or less for no limit.
    pub budget_us: i64,
}

impl<'a> Turn<'a> {
    /// Creates a decision in the game `G` without a time limit.
    ///
    /// ```
    /// # use hattari_agents::agent::{Agent, Turn, reference::First};
    /// # use hattari_plugin::{blank, games::bridge::{Action, Bridge, View}};
    /// let (view, legal): (View, Vec<Action>) = (blank(), vec![blank(); 3]);
    /// let turn = Turn::of::<Bridge>(&view, &[], &legal);
    /// let choice = First::<Bridge>::default().act(&turn).unwrap();
    /// assert_eq!(choice.action, 0);
    /// ```
    ///
    /// The decision borrows its data, which must outlive it:
    ///
    /// ```compile_fail,E0505
    /// # use hattari_agents::agent::{Agent, Turn, reference::First};
    /// # use hattari_plugin::{blank, games::bridge::{Action, Bridge, View}};
    /// let (view, legal): (View, Vec<Action>) = (blank(), vec![blank(); 3]);
    /// let turn = Turn::of::<Bridge>(&view, &[], &legal);
    /// drop(legal);
    /// let choice = First::<Bridge>::default().act(&turn).unwrap();
    /// ```
    #[inline]
    pub fn of<G: GameTypes>(
        view: &'a G::View,
        history: &'a [G::Event],
        legal: &'a [G::Action],
    ) -> Turn<'a> {
        Turn {
            seen: Observation::of::<G>(view, history),
            legal: Records::of(legal),
            budget_us: 0,
        }
    }

    /// Returns the legal actions as records of the game `G`.
    ///
    /// # Panics
    /// Panics if they belong to another game.
    pub fn actions<G: GameTypes>(&self) -> &'a [G::Action] {
        self.legal
            .cast()
            .unwrap_or_else(|| panic_for_other_game::<G>())
    }
}

#[cold]
fn panic_for_other_game<G: GameTypes>() -> ! {
    panic!("the records do not belong to {}", G::ID)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::{HighCard, HighPlay, HighView};
    use hattari_plugin::games::tanhinmin::Tanhinmin;

    const PLAYS: [HighPlay; 3] = [
        HighPlay { seat: 0, card: 7 },
        HighPlay { seat: 1, card: 9 },
        HighPlay { seat: 2, card: 1 },
    ];

    #[test]
    fn casting_records_returns_the_original_records() {
        let view = HighView { hand: 5, table: 6 };
        let turn = Turn::of::<HighCard>(&view, &PLAYS, &PLAYS[..2]);
        assert_eq!(turn.seen.read::<HighCard>(), (&view, &PLAYS[..]));
        assert_eq!(turn.actions::<HighCard>(), &PLAYS[..2]);
        assert_eq!(
            (
                turn.legal.count(),
                turn.legal.stride(),
                turn.legal.as_bytes().len()
            ),
            (2, 8, 16)
        );
        assert_eq!(
            [0, 1, 2].map(|index| turn.legal.get(index)),
            [Some(&PLAYS[0]), Some(&PLAYS[1]), None]
        );
        assert_eq!(
            Turn::of::<HighCard>(&view, &[], &[])
                .seen
                .read::<HighCard>()
                .1,
            []
        );
    }

    #[test]
    fn bytes_of_another_length_are_rejected() {
        let bytes: &[u8] = bytemuck::cast_slice(&PLAYS);
        for (count, stride) in [
            (2, 8),
            (4, 8),
            (3, 7),
            (0, 8),
            (24, 0),
            (u32::MAX, u32::MAX),
        ] {
            assert!(
                Records::new(bytes, count, stride).is_none(),
                "{count} of {stride}"
            );
        }
        let plays = |bytes, count, stride| {
            let records = Records::new(bytes, count, stride).unwrap();
            (records.cast::<HighPlay>(), records.get::<HighPlay>(0))
        };
        assert_eq!(plays(bytes, 3, 8), (Some(&PLAYS[..]), Some(&PLAYS[0])));
        assert_eq!(plays(bytes, 6, 4), (None, None), "halves");
        assert_eq!(plays(&bytes[1..9], 1, 8), (None, None), "unaligned");
        assert_eq!(plays(&bytes[1..1], 0, 8).0, Some(&[][..]));
    }

    #[test]
    #[should_panic(expected = "the records do not belong to tanhinmin/1")]
    fn a_view_of_another_game_is_rejected() {
        _ = Observation::of::<HighCard>(&HighView { hand: 5, table: 6 }, &[]).read::<Tanhinmin>();
    }
}
