//! Distribution functions, compared with mpmath and SciPy. Also tests that every finite argument
//! gives a result other than NaN in bounded time.

use crate::common::{close, golden, number, reference};
use hattari_stats::dist::{noncentral, normal, student};
use serde_json::Value;

fn rows(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

#[test]
fn normal_tails_match_mpmath_up_to_thirty_sigma() {
    for (x, expected) in golden()["norm_sf"].as_object().unwrap() {
        let x: f64 = x.parse().unwrap();
        // In these reference numbers x/√2 was rounded to a double, which causes an error of up to
        // 1.2e-13 at 30 sigma.
        close(normal::sf(x), number(expected), 2e-13);
    }
    for row in rows(&reference()["norm_sf"]) {
        let (x, expected) = (number(&row["x"]), number(&row["sf"]));
        close(normal::sf(x), expected, 4e-15);
        close(normal::ln_sf(x), expected.ln(), 1e-15);
    }
    close(normal::ln_sf(1000.0), -500_007.826_694_812_16, 1e-15);
}

#[test]
fn normal_quantiles_match_mpmath() {
    for row in rows(&reference()["norm_isf"]) {
        let (q, x) = (number(&row["q"]), number(&row["x"]));
        close(normal::isf(q).unwrap(), x, 1e-12);
    }
    assert_eq!(normal::isf(0.5), Ok(0.0));
}

#[test]
fn t_quantiles_match_scipy() {
    for (key, expected) in golden()["t_ppf"].as_object().unwrap() {
        let (p, df) = key.split_once('|').unwrap();
        let (p, df): (f64, f64) = (p.parse().unwrap(), df.parse().unwrap());
        close(-student::isf(p, df).unwrap(), number(expected), 1e-11);
        close(
            -student::isf(1.0 - p, df).unwrap(),
            -number(expected),
            1e-11,
        );
    }
}

#[test]
fn t_tails_match_mpmath() {
    for row in rows(&reference()["t_sf"]) {
        let (t, df, expected) = (number(&row["t"]), number(&row["df"]), number(&row["sf"]));
        close(student::sf(t, df).unwrap(), expected, 2e-12);
        close(student::sf(-t, df).unwrap(), 1.0 - expected, 1e-14);
    }
}

#[test]
fn extreme_t_quantiles_match_closed_forms_and_scipy() {
    for row in rows(&reference()["t_isf"]) {
        let (q, df, expected) = (number(&row["q"]), number(&row["df"]), number(&row["t"]));
        close(student::isf(q, df).unwrap(), expected, 2e-11);
    }
}

#[test]
fn noncentral_t_with_zero_noncentrality_equals_central_t() {
    for df in [1.0, 1.5, 7.0, 90.0, 1e4, 1e7, 1e12] {
        for t in [0.0, 0.3, 1.96, 8.0, 30.0, 500.0] {
            let central = student::two_sided_p(t, df).unwrap();
            let ours = noncentral::two_sided_sf(t, df, 0.0).unwrap();
            assert!(
                (ours - central).abs() < 4e-12,
                "t {t}, df {df}: {ours} {central}"
            );
        }
    }
}

#[test]
fn quantiles_invert_tails_over_the_whole_range() {
    let mut df = 1e-3;
    while df < 1e15 {
        let mut q = 1e-300;
        while q < 0.5 {
            match student::isf(q, df) {
                Ok(t) => {
                    let back = student::ln_sf(t, df).unwrap();
                    assert!(
                        (back - q.ln()).abs() < 1e-11 * (1.0 + q.ln().abs()),
                        "df {df} q {q}: t {t}"
                    );
                }
                // Only with so few degrees of freedom is a quantile beyond the range of a double.
                Err(_) => assert!(df < 1.0, "df {df} q {q}"),
            }
            q *= 97.0;
        }
        df *= 3.7;
    }
}

#[test]
fn finite_arguments_never_give_nan() {
    let extremes = [
        0.0,
        5e-324,
        1e-200,
        1e-9,
        0.3,
        0.5,
        1.0,
        7.5,
        1e5,
        1e9,
        1e200,
        f64::MAX,
    ];
    for a in extremes.into_iter().flat_map(|x| [x, -x]) {
        assert!(
            !normal::sf(a).is_nan() && !normal::ln_sf(a).is_nan() && !normal::pdf(a).is_nan(),
            "{a}"
        );
        assert!(
            normal::isf(a).is_ok_and(f64::is_finite) || !(0.0 < a && a < 1.0),
            "{a}"
        );
        for df in extremes.into_iter().flat_map(|x| [x, -x]) {
            let tails = [
                student::sf(a, df),
                student::ln_sf(a, df),
                student::two_sided_p(a, df),
            ];
            assert!(
                tails
                    .iter()
                    .all(|tail| tail.as_ref().is_ok_and(|x| !x.is_nan()) == (1e-300 < df)),
                "t {a}, df {df}: {tails:?}"
            );
            assert!(
                student::isf(a, df).is_ok_and(f64::is_finite) || df <= 1.0 || !(0.0 < a && a < 1.0),
                "{a} {df}"
            );
            for delta in extremes.into_iter().flat_map(|x| [x, -x]) {
                let answer = noncentral::two_sided_sf(a.abs(), df, delta);
                assert_eq!(
                    answer.is_ok_and(|x| (0.0..=1.0).contains(&x)),
                    (1.0..=1e15).contains(&df),
                    "{a} {df} {delta}"
                );
            }
        }
    }
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        assert!(
            student::sf(1.0, bad).is_err() && student::isf(0.9, bad).is_err(),
            "{bad}"
        );
        assert!(
            student::isf(bad, 3.0).is_err() && normal::isf(bad).is_err(),
            "{bad}"
        );
    }
}
