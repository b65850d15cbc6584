//! Fuzzy sets with triangular membership functions. Mamdani's inference combines them by minimum
//! and maximum, and takes the centre of gravity.

use serde::{Deserialize, Serialize};

/// A triangular fuzzy set: degree 0 up to `left`, 1 at `peak`, 0 from `right` on. If the peak is
/// equal to `left` or `right`, the function has a vertical edge there. Serialized as the list
/// `[left, peak, right]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 3]", into = "[f64; 3]")]
pub struct Triangle {
    left: f64,
    peak: f64,
    right: f64,
}

impl Triangle {
    /// Creates the set with these corners.
    ///
    /// # Panics
    /// Panics if the corners are not in ascending order, or if all are equal.
    pub(crate) const fn new(left: f64, peak: f64, right: f64) -> Triangle {
        assert!(
            left <= peak && peak <= right && left < right,
            "the corners of a triangle must be in ascending order"
        );
        Triangle { left, peak, right }
    }

    /// Returns the membership degree of `x`, 0 to 1.
    pub(crate) fn degree(self, x: f64) -> f64 {
        if x < self.left || self.right < x {
            0.0
        } else if x < self.peak {
            (x - self.left) / (self.peak - self.left)
        } else if self.peak < x {
            (self.right - x) / (self.right - self.peak)
        } else {
            1.0
        }
    }

    /// Returns the x coordinates of the corners of the set if it is cut off at `height`.
    fn corners(self, height: f64) -> [f64; 4] {
        let rise = self.left + height * (self.peak - self.left);
        let fall = self.right - height * (self.right - self.peak);
        [self.left, rise, fall, self.right]
    }
}

impl TryFrom<[f64; 3]> for Triangle {
    type Error = String;

    fn try_from([left, peak, right]: [f64; 3]) -> Result<Triangle, String> {
        let finite = [left, peak, right].into_iter().all(f64::is_finite);
        if finite && left <= peak && peak <= right && left < right {
            Ok(Triangle { left, peak, right })
        } else {
            Err(format!(
                "[{left}, {peak}, {right}] is not a triangle: the corners must ascend from left to peak to right"
            ))
        }
    }
}

impl From<Triangle> for [f64; 3] {
    fn from(Triangle { left, peak, right }: Triangle) -> [f64; 3] {
        [left, peak, right]
    }
}

/// Returns the centre of gravity of the union of sets, each cut off at its height. The calculation
/// is exact, because the outline consists of straight lines. Returns `None` if all heights are 0.
pub(crate) fn centroid(sets: &[(Triangle, f64)]) -> Option<f64> {
    let outline = |x: f64| {
        sets.iter().fold(0.0, |top: f64, (set, height)| {
            top.max(set.degree(x).min(*height))
        })
    };
    let mut xs: Vec<f64> = sets
        .iter()
        .flat_map(|(set, height)| set.corners(*height))
        .collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let (mut area, mut moment) = (0.0, 0.0);
    for pair in xs.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        // Between two corners, the outline of every set is a straight line, but two lines may
        // cross.
        let mut cuts = vec![from, to];
        let lines: Vec<Line> = sets
            .iter()
            .map(|(set, height)| Line::of(*set, *height, from, to))
            .collect();
        for (index, one) in lines.iter().enumerate() {
            cuts.extend(
                lines[..index]
                    .iter()
                    .filter_map(|other| one.crossing(*other, from, to)),
            );
        }
        cuts.sort_by(f64::total_cmp);
        for cut in cuts.windows(2) {
            let (a, b) = (cut[0], cut[1]);
            if a < b {
                // Determine the straight line by two inner points, because there may be vertical
                // edges at its ends.
                let (at_third, at_two) =
                    (outline(a + (b - a) / 3.0), outline(a + (b - a) * 2.0 / 3.0));
                let slope = at_two - at_third;
                let (start, end) = (at_third - slope, at_two + slope);
                area += (b - a) * (start + end) / 2.0;
                moment += (b - a) * (start * (2.0 * a + b) + end * (a + 2.0 * b)) / 6.0;
            }
        }
    }
    (0.0 < area).then(|| moment / area)
}

/// Applies Mamdani's method to two inputs, given by their membership degrees. `rules` are indexes of
/// `outputs`. Returns 0 if no rule applies.
pub(crate) fn apply_rules<const N: usize, const M: usize>(
    rules: &[[usize; N]; N],
    first: [f64; N],
    second: [f64; N],
    outputs: [Triangle; M],
) -> f64 {
    let mut outputs = outputs.map(|set| (set, 0.0));
    for (first, rules) in first.iter().zip(rules) {
        for (second, &output) in second.iter().zip(rules) {
            let height: &mut f64 = &mut outputs[output].1;
            *height = height.max(first.min(*second));
        }
    }
    centroid(&outputs).unwrap_or(0.0)
}

/// The outline of a cut-off set between two neighbouring corners: the degrees at both corners.
#[derive(Clone, Copy)]
struct Line {
    start: f64,
    end: f64,
}

impl Line {
    fn of(set: Triangle, height: f64, from: f64, to: f64) -> Line {
        let at = |share: f64| set.degree(from + (to - from) * share).min(height);
        let (third, two) = (at(1.0 / 3.0), at(2.0 / 3.0));
        Line {
            start: 2.0 * third - two,
            end: 2.0 * two - third,
        }
    }

    /// Returns the x coordinate between the corners where two lines cross, if they do.
    fn crossing(self, other: Line, from: f64, to: f64) -> Option<f64> {
        let (start, end) = (self.start - other.start, self.end - other.end);
        (start * end < 0.0).then(|| from + (to - from) * start / (start - end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn triangle() -> impl Strategy<Value = Triangle> {
        (-5.0..5.0, 0.0..4.0, 0.0..4.0)
            .prop_filter("an area", |(_, up, down)| 0.01 < up + down)
            .prop_map(|(left, up, down)| Triangle::new(left, left + up, left + up + down))
    }

    #[test]
    fn membership_degrees_form_a_triangle() {
        let set = Triangle::new(0.0, 0.5, 1.0);
        for (x, degree) in [
            (-0.1, 0.0),
            (0.0, 0.0),
            (0.25, 0.5),
            (0.5, 1.0),
            (0.75, 0.5),
            (1.0, 0.0),
            (1.1, 0.0),
        ] {
            assert_eq!(set.degree(x), degree, "{x}");
        }
        let edge = Triangle::new(0.0, 0.0, 0.5);
        assert_eq!(
            (edge.degree(0.0), edge.degree(0.25), edge.degree(-0.1)),
            (1.0, 0.5, 0.0)
        );
        assert!(
            serde_json::from_str::<Triangle>("[0, 2, 1]")
                .unwrap_err()
                .to_string()
                .contains("not a triangle")
        );
        assert!(serde_json::from_str::<Triangle>("[1, 1, 1]").is_err());
        assert_eq!(serde_json::to_string(&edge).unwrap(), "[0.0,0.0,0.5]");
    }

    #[test]
    fn centroids_of_disjoint_sets_match_the_closed_form() {
        assert_eq!(centroid(&[(Triangle::new(0.0, 1.0, 2.0), 0.0)]), None);
        assert!((centroid(&[(Triangle::new(0.0, 0.0, 3.0), 1.0)]).unwrap() - 1.0).abs() < 1e-12);
        assert!((centroid(&[(Triangle::new(0.0, 1.0, 2.0), 0.3)]).unwrap() - 1.0).abs() < 1e-12);
        // Two disjoint sets: the weights are the areas h (2 - h).
        let two = [
            (Triangle::new(-2.0, -1.0, 0.0), 0.4),
            (Triangle::new(0.0, 1.0, 2.0), 0.9),
        ];
        let area = |height: f64| height * (2.0 - height);
        let expected = (area(0.9) - area(0.4)) / (area(0.9) + area(0.4));
        assert!((centroid(&two).unwrap() - expected).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn centroids_match_numerical_integration(sets in prop::collection::vec((triangle(), 0.05f64..1.0), 1..5)) {
            let steps = 200_000;
            let (mut area, mut moment) = (0.0, 0.0);
            for step in 0..steps {
                let x = -5.0 + 18.0 * (f64::from(step) + 0.5) / f64::from(steps);
                let top = sets.iter().fold(0.0, |top: f64, (set, height)| top.max(set.degree(x).min(*height)));
                area += top;
                moment += top * x;
            }
            prop_assert!((centroid(&sets).unwrap() - moment / area).abs() < 1e-3);
        }
    }
}
