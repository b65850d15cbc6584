//! Formats numbers for readers, with as many digits as the standard error justifies.

/// Returns the number of decimals (0 to 6) with which the smallest positive standard error has two
/// significant digits; 3 if no error is positive.
pub fn decimals(errors: impl IntoIterator<Item = f64>) -> usize {
    let finest = errors
        .into_iter()
        .filter(|error| error.is_finite() && *error > 0.0)
        .fold(f64::INFINITY, f64::min);
    if finest.is_infinite() {
        return 3;
    }
    (0..6)
        .find(|decimals| finest * 10_f64.powi(*decimals) >= 9.5)
        .map_or(6, |decimals| decimals.unsigned_abs() as usize)
}

/// Returns a number with fixed decimals. Zero has no minus sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.starts_with('-') && text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
        text[1..].to_owned()
    } else {
        text
    }
}

/// Returns the same as [`fixed`], with a plus sign before positive numbers.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let above = value > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if above { format!("+{text}") } else { text }
}

/// Returns an interval of differences as text, with signs. Adds decimals if an interval that
/// excludes zero would otherwise end at zero after rounding.
pub fn interval(ends: (f64, f64), decimals: usize) -> String {
    range_text(ends, decimals, signed)
}

/// Returns the same as [`interval`], without plus signs.
pub(crate) fn unsigned_interval(ends: (f64, f64), decimals: usize) -> String {
    range_text(ends, decimals, fixed)
}

fn range_text((low, high): (f64, f64), decimals: usize, text: fn(f64, usize) -> String) -> String {
    let nearest = if low > 0.0 { low } else { high };
    let is_without_zero = low > 0.0 || high < 0.0;
    let needed = (decimals..=DECIMALS_MAX)
        .find(|decimals| {
            fixed(nearest, *decimals)
                .bytes()
                .any(|byte| matches!(byte, b'1'..=b'9'))
        })
        .filter(|_| is_without_zero)
        .unwrap_or(decimals);
    format!("{} to {}", text(low, needed), text(high, needed))
}

/// Maximum number of decimals of an interval.
const DECIMALS_MAX: usize = 20;

/// Returns a probability as text, never as 0: with three decimals if it is at least 0.001,
/// otherwise in scientific notation.
pub fn p_value(p: f64) -> String {
    if p >= 0.9995 {
        "1".to_owned()
    } else if p >= 0.001 {
        format!("{p:.3}")
    } else if p >= 1e-99 {
        format!("{p:.0e}")
    } else {
        "<1e-99".to_owned()
    }
}

/// Returns `p = 0.031`, or `p < 1e-99` for smaller values.
pub(crate) fn p_equals(p: f64) -> String {
    let text = p_value(p);
    text.strip_prefix('<')
        .map_or_else(|| format!("p = {text}"), |bound| format!("p < {bound}"))
}

/// Returns a share between 0 and 1 in percent, without the percent sign.
pub(crate) fn percent(share: f64) -> String {
    fixed(share * 100.0, 1)
}

/// Returns a confidence level in percent: 0.95 as `95`, 0.995 as `99.5`.
pub(crate) fn level(level: f64) -> String {
    let text = format!("{:.4}", level * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a positive quantity with three digits: `12.3k`, `4.56M`.
pub(crate) fn short(quantity: f64) -> String {
    let (scaled, unit) = match quantity {
        q if q >= 999.5e6 => (q / 1e9, "G"),
        q if q >= 999.5e3 => (q / 1e6, "M"),
        q if q >= 999.5 => (q / 1e3, "k"),
        q => (q, ""),
    };
    let decimals = if scaled >= 99.95 || (unit.is_empty() && scaled.fract() == 0.0) {
        0
    } else if scaled >= 9.995 {
        1
    } else {
        2
    };
    format!("{scaled:.decimals$}{unit}")
}

/// Returns the whole part of a number as an index; 0 for a negative number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast keeps to the range of the type"
)]
pub(crate) fn index(x: f64) -> usize {
    x as usize
}

/// Returns a time in seconds since 1970 as date, hour and minute in UTC (Howard Hinnant,
/// "chrono-compatible low-level date algorithms").
pub fn date(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}",
        second / 3600,
        second / 60 % 60
    )
}

/// Parses a date or a date with hour and minute in UTC, such as `2026-12-01` or `2026-12-01T08:00`.
/// Returns seconds since 1970, or `None` if the text is not of this form or there is no such time.
pub fn parse_date(text: &str) -> Option<i64> {
    let text = text.trim_end_matches('Z').replace('T', " ");
    let whole = if text.len() == 10 {
        format!("{text} 00:00")
    } else {
        text
    };
    let parts: Vec<i64> = whole
        .split(['-', ' ', ':'])
        .map_while(|part| part.parse().ok())
        .collect();
    let &[year, month, day, hour, minute] = &parts[..] else {
        return None;
    };
    // Larger numbers could overflow below.
    if parts.iter().any(|part| !(0..=9999).contains(part)) {
        return None;
    }
    let shifted = year - i64::from(month <= 2);
    let (era, year_of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    let seconds = days * 86_400 + hour * 3600 + minute * 60;
    // Rejects days and hours that the calendar does not have, and other spellings.
    (date(seconds) == whole).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_errors_are_shown_with_two_significant_digits() {
        assert_eq!(decimals([0.012]), 3);
        assert_eq!(decimals([0.0999, 0.5]), 2);
        assert_eq!(decimals([250.0, 31.0]), 0);
        assert_eq!(decimals([1.3]), 1);
        assert_eq!(decimals([1e-12]), 6);
        assert_eq!(decimals([0.0, f64::NAN]), 3);
    }

    #[test]
    fn rounded_zeros_have_no_sign() {
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(signed(0.0004, 3), "0.000");
        assert_eq!(signed(0.0006, 3), "+0.001");
        assert_eq!(signed(-0.0006, 3), "-0.001");
        assert_eq!(interval((-1.0, 2.5), 1), "-1.0 to +2.5");
    }

    #[test]
    fn an_interval_that_excludes_zero_is_not_rounded_to_zero() {
        assert_eq!(interval((-0.351, -0.00004), 3), "-0.35100 to -0.00004");
        assert_eq!(unsigned_interval((0.0002, 0.351), 3), "0.0002 to 0.3510");
        assert_eq!(
            interval((-0.0002, 0.351), 3),
            "0.000 to +0.351",
            "zero is in it"
        );
        assert_eq!(
            interval((-0.351, 0.0), 3),
            "-0.351 to 0.000",
            "and so it is here"
        );
    }

    #[test]
    fn a_p_value_is_never_shown_as_zero() {
        let texts = [1.0, 0.9996, 0.0131, 0.001, 0.00033, 4.2e-12, 1e-200, 0.0].map(p_value);
        assert_eq!(
            texts,
            [
                "1", "1", "0.013", "0.001", "3e-4", "4e-12", "<1e-99", "<1e-99"
            ]
        );
    }

    #[test]
    fn quantities_are_abbreviated_to_three_digits_with_a_suffix() {
        let texts = [0.0, 7.0, 7.5, 123.4, 999.6, 12_345.0, 1.5e6, 2e9].map(short);
        assert_eq!(
            texts,
            ["0", "7", "7.50", "123", "1.00k", "12.3k", "1.50M", "2.00G"]
        );
        assert_eq!([0.95, 0.995, 0.9].map(level), ["95", "99.5", "90"]);
    }

    #[test]
    fn dates_are_formatted_and_parsed_by_the_gregorian_calendar() {
        let dates = [0, 951_782_400, 951_868_800, 1_795_243_500, -1].map(date);
        let expected = [
            "1970-01-01 00:00",
            "2000-02-29 00:00",
            "2000-03-01 00:00",
            "2026-11-21 06:45",
            "1969-12-31 23:59",
        ];
        assert_eq!(dates, expected);
        let parsed = expected.map(|text| parse_date(&text.replace(' ', "T")));
        let seconds = [0, 951_782_400, 951_868_800, 1_795_243_500, -60].map(Some);
        assert_eq!(parsed, seconds);
        assert_eq!(parse_date("2000-03-01"), Some(951_868_800));
        for wrong in [
            "9223372036854775807-01-01",
            "2001-02-29",
            "2000-01-01T24:00",
            "2000-13-01",
            "1.1.2000",
            "",
            "2000-01-01T5:00",
        ] {
            assert_eq!(parse_date(wrong), None, "{wrong}");
        }
    }
}
