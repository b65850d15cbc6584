//! Deals that what others have done makes more or less likely.
//!
//! What a seat has seen leaves many deals ([`Game::resample`](hattari_games::Game::resample)), and
//! whoever knows how others choose can weigh them: by the product of the probabilities of their
//! choices in each. A pool of such deals is drawn from in proportion (importance resampling).

use rand::Rng;

/// Deals, or only their hands, with weights, to be drawn from in proportion.
#[derive(Clone, Debug)]
pub struct Pool<D> {
    deals: Vec<D>,
    /// Running totals of the weights.
    totals: Vec<f64>,
}

impl<D> Default for Pool<D> {
    fn default() -> Self {
        Pool {
            deals: Vec::new(),
            totals: Vec::new(),
        }
    }
}

impl<D> Pool<D> {
    /// Forgets all deals.
    pub fn clear(&mut self) {
        self.deals.clear();
        self.totals.clear();
    }

    /// Adds a deal. Weights that are not above 0 count as none.
    pub fn push(&mut self, deal: D, weight: f64) {
        let weight = if weight > 0.0 { weight } else { 0.0 };
        self.deals.push(deal);
        self.totals
            .push(weight + self.totals.last().unwrap_or(&0.0));
    }

    /// Draws a deal in proportion to the weights; `None` from an empty pool.
    pub fn draw<R: Rng>(&self, chance: &mut R) -> Option<&D> {
        let total = self.totals.last()?;
        let point = (chance.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64) * total;
        let index = self.totals.partition_point(|&total| total <= point);
        self.deals.get(index.min(self.deals.len() - 1))
    }

    /// How many equally weighted deals tell as much: the square of the sum of weights over the sum
    /// of squares. 0 of none.
    #[must_use]
    pub fn effective(&self) -> f64 {
        let starts = std::iter::once(0.0).chain(self.totals.iter().copied());
        let squares: f64 = starts
            .zip(&self.totals)
            .map(|(before, total)| (total - before) * (total - before))
            .sum();
        self.totals.last().map_or(0.0, |total| {
            if squares > 0.0 {
                total * total / squares
            } else {
                0.0
            }
        })
    }
}
