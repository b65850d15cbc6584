"""Writes reference.json: known answers for the tests, from mpmath, SciPy and statsmodels.

Run with `pip install scipy statsmodels mpmath` in a virtual environment of its own, then `python reference.py`.
"""

import json
import math
import pathlib

import mpmath as mp
import numpy as np
import scipy
import scipy.stats as st
import statsmodels
from scipy.optimize import brentq

HERE = pathlib.Path(__file__).parent
GOLDEN = json.loads((HERE / "../../../../tests/data/statistics.json").read_text())
mp.mp.dps = 40


def t_tail(t, df):
    """P(T > t) for t > 0: the incomplete beta function in high precision."""
    t, df = mp.mpf(t), mp.mpf(df)
    x = df / (df + t * t)
    if df <= 10000:
        return mp.betainc(df / 2, mp.mpf(1) / 2, 0, x, regularized=True) / 2
    density = lambda u: mp.exp(-(df + 1) / 2 * mp.log1p(u * u / df))
    front = mp.exp(mp.loggamma((df + 1) / 2) - mp.loggamma(df / 2)) / mp.sqrt(mp.pi * df)
    scale = 1 / max(t, 1)
    cuts = [t + scale * k for k in (0, 1, 2, 3, 5, 8, 12, 17, 23, 30, 40, 60)]
    return front * mp.quad(density, cuts)


def noncentral_tail(t, df, delta):
    """P(T > t): the normal tail averaged over the chi distribution of the scale, in high precision."""
    t, df, delta = mp.mpf(t), mp.mpf(df), mp.mpf(delta)
    ln_c = mp.log(2) + df / 2 * mp.log(df / 2) - mp.loggamma(df / 2)
    spread = 1 / mp.sqrt(2 * df)
    f = lambda s: mp.exp(ln_c + (df - 1) * mp.log(s) - df / 2 * s * s) * mp.ncdf(delta - t * s)
    low, high = max(mp.mpf(0), 1 - 16 * spread), 1 + 16 * spread
    cuts = [low + (high - low) * k / 24 for k in range(25)]
    if t != 0 and low < delta / t < high:
        cuts = sorted(cuts + [delta / t])
    return mp.quad(f, cuts)


def text(value):
    return mp.nstr(value, 20)


def rows(keys, values):
    return [dict(zip(keys, row)) for row in values]


def series(seed, n, shift=0.0):
    rng = np.random.default_rng(seed)
    return [round(float(x), 6) for x in rng.normal(shift, 1.0, n)]


def power(n, d, alpha=0.05):
    critical = st.t.isf(alpha / 2, n - 1)
    return float(noncentral_tail(critical, n - 1, d * math.sqrt(n)) + noncentral_tail(critical, n - 1, -d * math.sqrt(n)))


small_a, small_b = series(1, 12, 0.3), series(2, 12)
other = series(3, 17, -0.2)

ratio_a, ratio_b = [abs(x) + 1 for x in series(6, 25)], [abs(x) + 0.8 for x in series(7, 25)]


def ratio_standard_error(a, b):
    """Delta method: the residuals of h1 - R (h1 + h2) over the mean total."""
    a, b = np.array(a), np.array(b)
    share = a.sum() / (a + b).sum()
    return float(share), float(np.std(a - share * (a + b), ddof=1) / math.sqrt(len(a)) / (a + b).mean())


def confidence_sequence(xs, n, alpha=0.05, tuned_for=100.0):
    """Half width and p after n numbers: the mixture boundary, carried over to t with n - 1 degrees of freedom."""
    rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tuned_for
    mean, sd = np.mean(xs[:n]), np.std(xs[:n], ddof=1)
    spread = n * rho2 + 1
    z = math.sqrt(2 * spread / (n * rho2) * math.log(math.sqrt(spread) / alpha))
    half = st.t.isf(st.norm.sf(z), n - 1) * sd / math.sqrt(n)
    seen = st.norm.isf(st.t.sf(abs(mean) / sd * math.sqrt(n), n - 1))
    return {"n": n, "half_width": float(half), "p": float(min(1.0, math.sqrt(spread) * math.exp(-seen**2 * n * rho2 / (2 * spread))))}


drifting = series(9, 400, 0.05)

paired = st.ttest_rel(small_a, small_b)
welch = st.ttest_ind(small_a, other, equal_var=False)
one = st.ttest_1samp(small_a, 0.0)

out = {
    "versions": {"mpmath": mp.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "numpy": np.__version__},
    "norm_sf": rows(("x", "sf"), [(x, text(mp.ncdf(-mp.mpf(x)))) for x in (0.5, 1.96, 3.9, 4.1, 5, 10, 20.3, 30, 37)]),
    "t_sf": rows(
        ("t", "df", "sf"),
        [(t, df, text(t_tail(t, df))) for df in (0.5, 1, 2.5, 3, 11, 29, 100, 1000, 2500, 10000, 1e6, 1e9)
         for t in (1e-12, 0.001, 0.5, 1.0, 1.7, 1.8, 2.0, 4.0, 10.0, 30.0) if not (t > 20 and df > 1000)]),
    "t_isf": rows(
        ("q", "df", "t"),
        [(q, df, float(st.t.isf(q, df))) for df in (1, 2.5, 11, 300) for q in (0.4999, 0.3, 0.1, 1e-3, 1e-8, 1e-20)]
        # Closed forms: cot(pi q) for one degree of freedom, (1 - 2q) / sqrt(2 q (1 - q)) for two.
        + [(q, 1, float(mp.cot(mp.pi * mp.mpf(q)))) for q in (1e-50, 1e-200, 1e-300, 0.49999999)]
        + [(q, 2, float((1 - 2 * mp.mpf(q)) / mp.sqrt(2 * mp.mpf(q) * (1 - mp.mpf(q))))) for q in (1e-50, 1e-200, 1e-300, 0.49999999)]),
    "norm_isf": rows(("q", "x"), [(q, float(mp.findroot(lambda x: mp.log(mp.erfc(x / mp.sqrt(2)) / 2) - mp.log(mp.mpf(q)), float(st.norm.isf(q)))))
                                  for q in (0.4999, 0.3, 0.025, 1e-3, 1e-10, 1e-50, 1e-150, 1e-300)]),
    "power": rows(("n", "d", "power"), [(n, d, power(n, d)) for n, d in ((10, 0.5), (30, 0.5), (5, 1.5), (787, 0.1), (200, 0.2))]),
    "power_n": rows(("d", "power", "n"), [(d, p, float(brentq(lambda n: power(n, d) - p, 2.0001, 1e4, xtol=1e-10)))
                                          for d, p in ((0.5, 0.8), (0.2, 0.8), (1.5, 0.9))]),
    "small": {"a": small_a, "b": small_b, "other": other},
    "paired_t": {"t": float(paired.statistic), "df": float(paired.df), "p": float(paired.pvalue), "ci95": list(map(float, paired.confidence_interval()))},
    "welch_t": {"t": float(welch.statistic), "df": float(welch.df), "p": float(welch.pvalue), "ci95": list(map(float, welch.confidence_interval()))},
    "one_sample_t": {"t": float(one.statistic), "p": float(one.pvalue), "ci99": list(map(float, one.confidence_interval(0.99)))},
    "sign_flip_exact_p": float(st.permutation_test(([x - y for x, y in zip(small_a, small_b)],), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue),
    "confidence_sequence": {"x": drifting, "rows": [confidence_sequence(drifting, n) for n in (10, 11, 30, 100, 400)]},
    "ratio": {"a": ratio_a, "b": ratio_b, "share_and_se": ratio_standard_error(ratio_a, ratio_b)},
}
(HERE / "reference.json").write_text(json.dumps(out, indent=1) + "\n")
