//! Tables at which as few as possible meet again.

/// Largest field in which tables without any rematch are searched for where exchanges have not
/// found them.
const SEARCHED_MAX: usize = 128;
/// Steps of that search.
const STEPS_MAX: u32 = 20_000;

/// How often any two entrants have met.
pub(super) struct Met {
    entrants: usize,
    times: Vec<u32>,
}

impl Met {
    /// Nobody of so many has met anybody.
    pub(super) fn new(entrants: usize) -> Met {
        Met {
            entrants,
            times: vec![0; entrants * entrants],
        }
    }

    /// Notes that these sat at one table.
    pub(super) fn note(&mut self, table: &[usize]) {
        for &a in table {
            for &b in table {
                self.times[a * self.entrants + b] += u32::from(a != b);
            }
        }
    }

    /// How often two have met.
    pub(super) fn times(&self, a: usize, b: usize) -> u32 {
        self.times[a * self.entrants + b]
    }

    /// What it costs to seat `entrant` with `others`: the squares of how often it has met each, so
    /// that rematches spread.
    fn cost<'t>(&self, entrant: usize, others: impl Iterator<Item = &'t usize>) -> u64 {
        others
            .map(|&other| u64::from(self.times(entrant, other)).pow(2))
            .sum()
    }

    /// The cost of a table: 0 where nobody meets again.
    pub(super) fn cost_of(&self, table: &[usize]) -> u64 {
        table
            .iter()
            .enumerate()
            .map(|(place, &entrant)| self.cost(entrant, table[place + 1..].iter()))
            .sum()
    }
}

/// Tables as near to `ideal` as rematches allow. First entrants of different tables change places
/// as long as that saves rematches, those of the nearest points first, of them those nearest in
/// `order`; if some remain and the field is small, tables without any are searched for.
///
/// `order` holds all who sit at the tables, the best first; all tables are of one size.
pub(super) fn settle(
    ideal: Vec<Vec<usize>>,
    order: &[usize],
    points: impl Fn(usize) -> f64,
    met: &Met,
) -> Vec<Vec<usize>> {
    let mut tables = ideal;
    let mut rank = vec![0; met.entrants];
    order
        .iter()
        .enumerate()
        .for_each(|(at, &entrant)| rank[entrant] = at);
    let nearer = |one: usize, a: usize, b: usize| {
        let apart = |other: usize| (points(one) - points(other)).abs();
        let by_rank = || {
            rank[one]
                .abs_diff(rank[a])
                .cmp(&rank[one].abs_diff(rank[b]))
        };
        apart(a).total_cmp(&apart(b)).then_with(by_rank).is_lt()
    };
    while exchange(&mut tables, nearer, met) {}
    if tables.iter().any(|table| 0 < met.cost_of(table))
        && order.len() <= SEARCHED_MAX
        && let Some(found) = Search::run(order, tables[0].len(), met)
    {
        tables = found;
    }
    tables
        .iter_mut()
        .for_each(|table| table.sort_by_key(|&entrant| rank[entrant]));
    tables.sort_by_key(|table| rank[table[0]]);
    tables
}

/// Whoever meets somebody again changes places with that entrant of another table who saves most,
/// and of equal ones with the one `nearer` to it. Whether anybody has: every exchange lowers the
/// cost, so that there is an end.
fn exchange(
    tables: &mut [Vec<usize>],
    nearer: impl Fn(usize, usize, usize) -> bool,
    met: &Met,
) -> bool {
    let mut is_better = false;
    for a in 0..tables.len() {
        for i in 0..tables[a].len() {
            let one = tables[a][i];
            let with_one = || tables[a].iter().filter(|&&entrant| entrant != one);
            let cost = met.cost(one, with_one());
            if cost == 0 {
                continue;
            }
            let mut best: Option<(u64, usize, usize, usize)> = None;
            for b in (0..tables.len()).filter(|&b| b != a) {
                for (j, &two) in tables[b].iter().enumerate() {
                    let with_two = || tables[b].iter().filter(|&&entrant| entrant != two);
                    let before = cost + met.cost(two, with_two());
                    let after = met.cost(two, with_one()) + met.cost(one, with_two());
                    let gain = before.saturating_sub(after);
                    let is_best = best.is_none_or(|(most, other, ..)| {
                        most < gain || most == gain && nearer(one, two, other)
                    });
                    if 0 < gain && is_best {
                        best = Some((gain, two, b, j));
                    }
                }
            }
            if let Some((_, two, b, j)) = best {
                (tables[a][i], tables[b][j]) = (two, one);
                is_better = true;
            }
        }
    }
    is_better
}

/// Looks for tables without any rematch; entrants are bits by their rank.
struct Search {
    /// Who has not met whom.
    fresh: Vec<u128>,
    size: usize,
    steps: u32,
    tables: Vec<Vec<usize>>,
}

impl Search {
    fn run(order: &[usize], size: usize, met: &Met) -> Option<Vec<Vec<usize>>> {
        let is_fresh = |a: usize, b: usize| a != b && met.times(order[a], order[b]) == 0;
        let bits = |a| {
            (0..order.len())
                .filter(|&b| is_fresh(a, b))
                .fold(0, |bits, b| bits | 1_u128 << b)
        };
        let fresh = (0..order.len()).map(bits).collect();
        let mut search = Search {
            fresh,
            size,
            steps: STEPS_MAX,
            tables: Vec::new(),
        };
        let all = (0..order.len()).fold(0, |bits, at| bits | 1_u128 << at);
        let name = |table: Vec<usize>| table.into_iter().map(|at| order[at]).collect();
        search
            .seat(all)
            .then(|| search.tables.into_iter().map(name).collect())
    }

    /// Whether all who are `free` can be seated. Who has the fewest to sit with is seated first.
    fn seat(&mut self, free: u128) -> bool {
        let choices = |at: usize| (self.fresh[at] & free).count_ones();
        match ones(free).min_by_key(|&at| (choices(at), at)) {
            None => true,
            Some(first) => self.fill(
                &mut vec![first],
                self.fresh[first] & free,
                free & !(1 << first),
            ),
        }
    }

    /// Whether a table can be filled from `candidates`, none of whom has met anybody there, and all
    /// others who are `free` seated.
    fn fill(&mut self, table: &mut Vec<usize>, mut candidates: u128, free: u128) -> bool {
        if table.len() == self.size {
            self.tables.push(table.clone());
            let is_found = self.seat(free);
            if !is_found {
                self.tables.pop();
            }
            return is_found;
        }
        while self.size - table.len() <= candidates.count_ones() as usize && 0 < self.steps {
            self.steps -= 1;
            let near = ones(candidates)
                .min_by_key(|&at| (at.abs_diff(table[0]), at))
                .expect("some are left");
            candidates &= !(1 << near);
            table.push(near);
            if self.fill(table, candidates & self.fresh[near], free & !(1 << near)) {
                return true;
            }
            table.pop();
        }
        false
    }
}

/// Places of the ones in `bits`.
fn ones(bits: u128) -> impl Iterator<Item = usize> {
    (0..128).filter(move |at| bits >> at & 1 == 1)
}
