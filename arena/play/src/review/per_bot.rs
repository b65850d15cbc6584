//! Values of the two bots that a review compares.

use std::ops::{AddAssign, Index, IndexMut};

/// One of the two bots that a review compares.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ReviewBot {
    /// The bot with which the reviewed bot is compared.
    Other = 0,
    /// The reviewed bot.
    Reviewed = 1,
}

impl ReviewBot {
    /// Returns the index of the bot in shared seats.
    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Returns the bot with which this bot is compared.
    pub(super) fn other(self) -> ReviewBot {
        match self {
            ReviewBot::Other => ReviewBot::Reviewed,
            ReviewBot::Reviewed => ReviewBot::Other,
        }
    }
}

/// A value for each of the two bots that a review compares. The other bot comes first when values
/// are ordered and in calls of functions, because stored results have this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerBot<T> {
    /// The value of the bot with which the reviewed bot is compared.
    pub other: T,
    /// The value of the reviewed bot.
    pub reviewed: T,
}

impl<T> PerBot<T> {
    /// Calls `value` for each bot and returns the results.
    pub(super) fn from_fn(mut value: impl FnMut(ReviewBot) -> T) -> PerBot<T> {
        PerBot {
            other: value(ReviewBot::Other),
            reviewed: value(ReviewBot::Reviewed),
        }
    }

    /// Applies `change` to both values.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> PerBot<U> {
        PerBot {
            other: change(self.other),
            reviewed: change(self.reviewed),
        }
    }

    /// Returns both values, first the value of the other bot.
    pub fn other_first(self) -> [T; 2] {
        [self.other, self.reviewed]
    }
}

impl PerBot<u32> {
    /// Adds counts; sums above `u32::MAX` become `u32::MAX`.
    pub(super) fn saturating_add(self, more: PerBot<u32>) -> PerBot<u32> {
        PerBot::from_fn(|bot| self[bot].saturating_add(more[bot]))
    }
}

impl<T: AddAssign> AddAssign for PerBot<T> {
    fn add_assign(&mut self, more: PerBot<T>) {
        self.other += more.other;
        self.reviewed += more.reviewed;
    }
}

impl<T> Index<ReviewBot> for PerBot<T> {
    type Output = T;

    fn index(&self, bot: ReviewBot) -> &T {
        match bot {
            ReviewBot::Other => &self.other,
            ReviewBot::Reviewed => &self.reviewed,
        }
    }
}

impl<T> IndexMut<ReviewBot> for PerBot<T> {
    fn index_mut(&mut self, bot: ReviewBot) -> &mut T {
        match bot {
            ReviewBot::Other => &mut self.other,
            ReviewBot::Reviewed => &mut self.reviewed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PerBot;

    #[test]
    fn the_other_bot_comes_first_in_order_and_in_calls() {
        let [small, large] = [(1, 9), (2, 0)].map(|(other, reviewed)| PerBot { other, reviewed });
        assert!(small < large);
        let mut calls = Vec::new();
        small.map(|value| calls.push(value));
        assert_eq!(calls, small.other_first());
        assert_eq!(small.other_first(), [1, 9]);
    }
}
