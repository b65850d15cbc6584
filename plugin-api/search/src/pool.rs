//! Sampling of deals in proportion to weights (importance resampling).
//!
//! Many deals are consistent with the information of a seat
//! ([`Game::resample`](hattari_games::Game::resample)). If the policies of other seats are known,
//! the weight of a deal is the product of the probabilities of their choices in it.

use rand::Rng;

/// Deals, or only their hands, with weights.
#[derive(Clone, Debug, Default)]
pub struct Pool<D> {
    deals: Vec<D>,
    /// Cumulative weights.
    totals: Vec<f64>,
}

impl<D> Pool<D> {
    /// Removes all deals.
    pub fn clear(&mut self) {
        self.deals.clear();
        self.totals.clear();
    }

    /// Adds a deal. A weight that is not positive counts as 0.
    pub fn push(&mut self, deal: D, weight: f64) {
        let weight = if weight > 0.0 { weight } else { 0.0 };
        self.deals.push(deal);
        self.totals
            .push(weight + self.totals.last().unwrap_or(&0.0));
    }

    /// Draws a deal with a probability proportional to its weight, or returns `None` if there are
    /// no deals.
    pub fn draw(&self, chance: &mut impl Rng) -> Option<&D> {
        let total = self.totals.last()?;
        let point = (chance.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64) * total;
        let index = self.totals.partition_point(|&total| total <= point);
        self.deals.get(index.min(self.deals.len() - 1))
    }
}
