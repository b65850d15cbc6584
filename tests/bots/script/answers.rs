//! Tests of the answers of scripts: those that are allowed, and the faults for others.

use super::table::{ask_five, check_errors, seat};
use hattari_agents::record::FaultKind;

fn answer(expression: &str) -> Result<(usize, i64), (FaultKind, String)> {
    let mut agent = seat(&format!(
        "return {{ act = function(view, legal) return {expression} end }}"
    ));
    ask_five(&mut *agent).map_err(|agent_error| (agent_error.kind, agent_error.message))
}

#[test]
fn answers_are_indices_from_1() {
    assert_eq!(answer("1"), Ok((0, 0)));
    assert_eq!(answer("#legal"), Ok((4, 0)));
    assert_eq!(answer("2, 120"), Ok((1, 120)));
    assert_eq!(answer("2, -7"), Ok((1, -7)));
}

#[test]
fn answers_that_are_not_indices_are_illegal_actions() {
    let illegal = |expression: &str| {
        let (kind, message) = answer(expression).unwrap_err();
        assert_eq!(kind, FaultKind::IllegalAction, "{expression}");
        message
    };
    let numbers = [
        "0", "-1", "6", "1.5", "1e99", "-1e99", "0/0", "1/0", "-1/0", "2^53", "2^32 + 1", "1e-320",
    ];
    check_errors(illegal, &numbers.map(|number| (number, "1 to 5")));
    let others = [
        "nil",
        "'1'",
        "legal[1]",
        "true",
        "{}",
        "print",
        "coroutine.create(print)",
        "buffer.create(1)",
    ];
    check_errors(illegal, &others.map(|other| (other, "must be the index")));
    assert_eq!(answer("1, 1.5").unwrap_err().0, FaultKind::IllegalAmount);
    assert_eq!(answer("1, 0/0").unwrap_err().0, FaultKind::IllegalAmount);
    assert_eq!(answer("1, 1e300").unwrap_err().0, FaultKind::IllegalAmount);
    assert_eq!(answer("1, {}").unwrap_err().0, FaultKind::IllegalAction);
}
