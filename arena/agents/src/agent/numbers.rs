//! Numbers that bots log during decisions. Each thread stores the numbers of its last decision for
//! observers. The numbers have no effect on play, and nothing is allocated until a bot logs one.

use crate::text;
use std::cell::{Cell, RefCell};

/// Maximum number of distinct names of logged numbers in a decision.
const NAMES_MAX: usize = 16;
/// Maximum length in bytes of the name of a logged number.
pub(crate) const NAME_BYTES_MAX: usize = 32;

/// A number that a bot logged, after its name.
pub type LoggedNumber = (String, f64);

thread_local! {
    /// `true` during a decision.
    static IS_OPEN: Cell<bool> = const { Cell::new(false) };
    static HAS_ANY: Cell<bool> = const { Cell::new(false) };
    /// Numbers of the last decision, in the order of their names.
    static NUMBERS: RefCell<Vec<LoggedNumber>> = const { RefCell::new(Vec::new()) };
}

/// Runs `act`, which is a decision. Discards the numbers of the last decision and stores those that
/// are logged meanwhile.
#[inline]
pub(crate) fn during<R>(act: impl FnOnce() -> R) -> R {
    if HAS_ANY.get() {
        take();
    }
    IS_OPEN.set(true);
    let answer = act();
    IS_OPEN.set(false);
    answer
}

/// Checks a number and stores it for the current decision, in place of an earlier number with the
/// same name. Outside of decisions, only checks the number.
///
/// # Errors
/// Returns an error if the name or the number is not valid, or if there are too many names.
pub(crate) fn log(name: &str, number: f64) -> Result<(), String> {
    if !name.starts_with(|first: char| first.is_ascii_alphabetic())
        || NAME_BYTES_MAX < name.len()
        || !name
            .as_bytes()
            .iter()
            .all(|letter| letter.is_ascii_alphanumeric() || *letter == b'_')
    {
        return Err(format!(
            "log: a name has 1 to {NAME_BYTES_MAX} letters, digits and `_` and begins with a \
             letter (got `{}`)",
            text::shortened(&text::escape_for_sentence(name), NAME_BYTES_MAX)
        ));
    }
    if !number.is_finite() {
        return Err(format!(
            "log: `{name}` must be a finite number (got {number})"
        ));
    }
    if !IS_OPEN.get() {
        return Ok(());
    }
    HAS_ANY.set(true);
    NUMBERS.with_borrow_mut(|numbers| {
        match numbers.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
            Ok(at) => numbers[at].1 = number,
            Err(at) if numbers.len() < NAMES_MAX => numbers.insert(at, (name.to_owned(), number)),
            Err(_) => {
                return Err(format!(
                    "log: a decision can have at most {NAMES_MAX} names of numbers (`{name}` is one \
                    more)"
                ));
            }
        }
        Ok(())
    })
}

/// Stores several numbers for the current decision like [`log`].
///
/// # Errors
/// Returns the first error.
pub(crate) fn log_all(numbers: impl IntoIterator<Item = LoggedNumber>) -> Result<(), String> {
    numbers
        .into_iter()
        .try_for_each(|(name, number)| log(&name, number))
}

/// Removes and returns the numbers of the last decision.
pub(crate) fn take() -> Vec<LoggedNumber> {
    HAS_ANY.set(false);
    NUMBERS.take()
}

/// Replaces the numbers of the last decision.
pub(crate) fn set(numbers: Vec<LoggedNumber>) {
    HAS_ANY.set(!numbers.is_empty());
    NUMBERS.set(numbers);
}

/// Returns the numbers of the last decision on this thread, in the order of their names. Observers
/// call it when a bot has answered.
pub fn of_last_decision() -> Vec<LoggedNumber> {
    if HAS_ANY.get() {
        NUMBERS.with_borrow(Clone::clone)
    } else {
        Vec::new()
    }
}

/// Returns numbers as text, for example `risk = 2, win = 0.7`.
pub fn as_text(numbers: &[LoggedNumber]) -> String {
    let each = numbers.iter().map(|(name, number)| match number.abs() {
        0.0 | 1e-6..1e15 => format!("{name} = {number}"),
        _ => format!("{name} = {number:e}"),
    });
    text::joined(each, ", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_last_decision_are_kept_in_the_order_of_names() {
        assert_eq!(log("early", 1.0), Ok(()));
        assert!(of_last_decision().is_empty());
        during(|| {
            log_all([
                ("win".into(), 0.5),
                ("Risk_2".into(), 2.0),
                ("win".into(), -0.7),
            ])
        })
        .unwrap();
        assert_eq!(log("late", 1.0), Ok(()));
        assert_eq!(
            as_text(&[("a".into(), 0.0), ("b".into(), -2e300), ("c".into(), 5e-9)]),
            "a = 0, b = -2e300, c = 5e-9"
        );
        assert_eq!(as_text(&of_last_decision()), "Risk_2 = 2, win = -0.7");
        during(|| ());
        assert!(of_last_decision().is_empty());
    }

    #[test]
    fn invalid_names_and_numbers_and_the_17th_name_are_refused() {
        let long = "a".repeat(NAME_BYTES_MAX + 1);
        for (name, number, words) in [
            ("", 0.0, "a name has 1 to 32 letters"),
            (&*long, 0.0, "(got `aaaa"),
            ("7up", 0.0, "begins with a letter"),
            ("a b", 0.0, "(got `a b`)"),
            ("é", 0.0, "(got `é`)"),
            ("a\u{1b}[2J", 0.0, "(got `a [2J`)"),
            ("a", f64::NAN, "`a` must be a finite number (got NaN)"),
            ("a", f64::NEG_INFINITY, "finite number (got -inf)"),
        ] {
            let refusal = during(|| log(name, number)).unwrap_err();
            assert!(refusal.contains(words), "{name}: {refusal}");
            assert!(of_last_decision().is_empty());
        }
        during(|| {
            (0..NAMES_MAX).for_each(|n| log(&format!("n{n}"), 1.0).unwrap());
            let refusal = log("more", 1.0).unwrap_err();
            assert_eq!(
                refusal,
                "log: a decision can have at most 16 names of numbers (`more` is one more)"
            );
            (0..1000).for_each(|n| assert_eq!(log("n3", f64::from(n)), Ok(())));
        });
        assert_eq!(of_last_decision().len(), NAMES_MAX);
    }
}
