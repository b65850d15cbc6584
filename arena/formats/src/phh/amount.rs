//! Conversion of chip amounts between decimal numbers (text) and integers in the smallest unit
//! (records).

pub(super) const DECIMALS_MAX: u8 = 6;
/// Maximum amount in the smallest unit. Integers up to this limit are exact as `f64`.
const UNITS_MAX: i64 = 1_000_000_000_000_000;

/// Splits a decimal number without exponent into sign (true if negative), integer digits and
/// decimal digits without trailing zeros. Returns `None` for other texts.
fn split_decimal(text: &str) -> Option<(bool, &str, &str)> {
    let (is_negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let fits = !whole.is_empty() && is_number(whole) && is_number(fraction);
    fits.then(|| (is_negative, whole, fraction.trim_end_matches('0')))
}

/// Converts a number to decimal notation without exponent: `1e3` becomes `1000`.
fn plain_notation(text: &str) -> Option<String> {
    if split_decimal(text).is_some() {
        return Some(text.to_owned());
    }
    let number: f64 = text.parse().ok()?;
    let plain = number.to_string();
    split_decimal(&plain).is_some().then_some(plain)
}

/// Returns the number of decimal places without trailing zeros; `None` if the text is not a number.
pub(super) fn decimals(text: &str) -> Option<u8> {
    let plain = plain_notation(text)?;
    let (_, _, fraction) = split_decimal(&plain)?;
    u8::try_from(fraction.len()).ok()
}

/// Converts a number to an integer in units of the last of `decimals` decimal places. Returns
/// `None` if the text is not a number, has more decimal places or is out of range.
pub(super) fn units(text: &str, decimals: u8) -> Option<i64> {
    let plain = plain_notation(text)?;
    let (is_negative, whole, fraction) = split_decimal(&plain)?;
    if fraction.len() > usize::from(decimals) {
        return None;
    }
    let number: i64 = format!("{whole}{fraction:0<width$}", width = usize::from(decimals))
        .parse()
        .ok()?;
    (number <= UNITS_MAX).then_some(if is_negative { -number } else { number })
}

/// Formats an amount as a decimal number without trailing zeros. The unit is the last of `decimals`
/// decimal places.
#[must_use]
pub fn decimal(units: i64, decimals: u8) -> String {
    let width = usize::from(decimals);
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    let (sign, fraction) = (
        if units < 0 { "-" } else { "" },
        fraction.trim_end_matches('0'),
    );
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_amounts_are_converted_exactly() {
        let cases = [
            ("0", 0, 0),
            ("40.0", 0, 40),
            ("1e3", 0, 1000),
            ("0.1", 1, 1),
            ("2067.40", 1, 20674),
            ("-0.05", 2, -5),
            ("33.333333", 6, 33_333_333),
        ];
        for (text, places, number) in cases {
            assert_eq!(
                (decimals(text), units(text, places)),
                (Some(places), Some(number)),
                "{text}"
            );
            assert_eq!(units(&decimal(number, places), places), Some(number));
        }
        assert_eq!(units("2.5", 3), Some(2500));
        assert_eq!(decimal(2500, 3), "2.5");
        assert_eq!(
            [
                decimal(-5, 2),
                decimal(120, 0),
                decimal(0, 2),
                decimal(100, 2)
            ],
            ["-0.05", "120", "0", "1"]
        );
        for wrong in ["", "-", "x", ".5x", "inf", "nan", "1_0", "1e30"] {
            assert_eq!(units(wrong, 2), None, "{wrong}");
        }
        assert_eq!(
            (units("0.001", 2), units("10000000000000000", 0)),
            (None, None)
        );
    }
}
