//! Counterfactual regret minimisation for two-player zero-sum games whose deals can be enumerated.
//!
//! The game is expanded once into a tree of decisions with their situations (information sets).
//! Each round updates one player after the other against the strategy of the other. This is CFR+:
//! regrets never fall below zero, and the strategy of round t has weight t in the mean (Tammelin,
//! "Solving Large Imperfect Information Games Using CFR+", 2014). The mean strategy approaches an
//! equilibrium. Its exploitability is computed exactly by best responses.

use hattari_plugin::games::{BlockState, Game};
use std::collections::HashMap;
use std::ops::Range;

/// A two-player game that is small enough to be expanded.
pub trait Small: Game {
    /// Returns every deal before its first decision. All are equally likely; player 0 is in seat 0.
    fn deals(&self) -> Vec<Self::Deal>;
    /// Returns a number for the relevant information of the seat to act. It must differ for
    /// situations that the seat can distinguish, and for different seats.
    fn situation(view: &Self::View, history: &[Self::Event]) -> u64;
}

/// Probabilities of the legal actions, by situation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strategy(pub HashMap<u64, Vec<f64>>);

/// The game tree.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Successor nodes of all decisions.
    next: Vec<usize>,
    /// First node of each deal.
    roots: Vec<usize>,
    sets: Vec<Set>,
    /// Total number of actions in all situations.
    size: usize,
}

#[derive(Debug)]
enum Node {
    /// The end of a deal, with the payoff of player 0.
    End(f64),
    /// A decision in a situation, with its successors in [`Tree::next`].
    Choice { set: usize, next: Range<usize> },
}

/// A situation (information set).
#[derive(Debug)]
struct Set {
    situation: u64,
    player: usize,
    /// Range of its actions among those of all situations.
    actions: Range<usize>,
    nodes: Vec<usize>,
    /// Previous decision of the player.
    recall: Recall,
}

/// A player's previous decision: the situation, and the index of the action.
type Recall = Option<(usize, usize)>;

impl Tree {
    /// Expands a game.
    ///
    /// # Panics
    /// Panics if the game is not zero-sum, or if situations with different seats, actions or
    /// previous decisions have the same number.
    pub fn of<G: Small>(game: &G) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            next: Vec::new(),
            roots: Vec::new(),
            sets: Vec::new(),
            size: 0,
        };
        let (block, mut known) = (game.new_block(2, 1), HashMap::new());
        for deal in game.deals() {
            let root = tree.unroll(game, &block, &deal, &mut known, [None; 2]);
            tree.roots.push(root);
        }
        tree
    }

    fn unroll<G: Small>(
        &mut self,
        game: &G,
        block: &BlockState<G>,
        deal: &G::Deal,
        known: &mut HashMap<u64, usize>,
        recalls: [Recall; 2],
    ) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node::End(0.0));
        let Some(seat) = game.to_act(deal) else {
            let mut payoffs = [0; 2];
            game.finish(&mut block.clone(), deal, &mut payoffs);
            assert_eq!(payoffs[0], -payoffs[1], "what one wins the other loses");
            self.nodes[node] = Node::End(payoffs[0] as f64);
            return node;
        };
        let (mut view, mut legal) = (hattari_plugin::blank(), Vec::new());
        game.view(block, deal, seat, &mut view);
        game.legal(deal, &mut legal);
        let (situation, player) = (
            G::situation(&view, game.history(deal)),
            game.player_at(deal, seat),
        );
        let set = *known.entry(situation).or_insert_with(|| {
            let actions = self.size..self.size + legal.len();
            self.size = actions.end;
            self.sets.push(Set {
                situation,
                player,
                actions,
                nodes: Vec::new(),
                recall: recalls[player],
            });
            self.sets.len() - 1
        });
        let it = &mut self.sets[set];
        let facts = (it.player, it.actions.len(), it.recall);
        assert_eq!(
            facts,
            (player, legal.len(), recalls[player]),
            "one number for two situations"
        );
        it.nodes.push(node);
        let follow = |(number, action): (usize, G::Action)| {
            let (mut after, mut recalls) = (deal.clone(), recalls);
            game.apply(&mut after, action.into());
            recalls[player] = Some((set, number));
            self.unroll(game, block, &after, known, recalls)
        };
        let followers: Vec<usize> = legal.into_iter().enumerate().map(follow).collect();
        let first = self.next.len();
        self.next.extend(followers);
        self.nodes[node] = Node::Choice {
            set,
            next: first..self.next.len(),
        };
        node
    }

    /// Returns the number of situations.
    pub fn situations(&self) -> usize {
        self.sets.len()
    }

    /// Returns the probabilities of a strategy by action; uniform for situations that it does not
    /// contain.
    fn flat(&self, strategy: &Strategy) -> Vec<f64> {
        let mut flat = Vec::with_capacity(self.size);
        for set in &self.sets {
            match strategy.0.get(&set.situation) {
                Some(chances) if chances.len() == set.actions.len() => flat.extend(chances),
                _ => flat.extend(vec![1.0 / set.actions.len() as f64; set.actions.len()]),
            }
        }
        flat
    }

    /// Returns the mean payoff of the first player per deal if the players use these strategies.
    pub fn value(&self, first: &Strategy, second: &Strategy) -> f64 {
        let flat = [self.flat(first), self.flat(second)];
        self.mean(|node| self.worth(node, &|set, action| flat[self.sets[set].player][action]))
    }

    fn mean(&self, mut worth: impl FnMut(usize) -> f64) -> f64 {
        self.roots.iter().map(|&root| worth(root)).sum::<f64>() / self.roots.len() as f64
    }

    /// Returns the payoff of the first player from a node on, given the probability of each action
    /// in each situation.
    fn worth(&self, node: usize, chance: &impl Fn(usize, usize) -> f64) -> f64 {
        match &self.nodes[node] {
            Node::End(payoff) => *payoff,
            Node::Choice { set, next } => {
                let followers = self.next[next.clone()]
                    .iter()
                    .zip(self.sets[*set].actions.clone());
                let weighed = followers.map(|(&next, action)| (next, chance(*set, action)));
                weighed
                    .filter(|(_, chance)| *chance > 0.0)
                    .map(|(next, p)| p * self.worth(next, chance))
                    .sum()
            }
        }
    }

    /// Returns the mean payoff of `player` per deal with the best response to a strategy.
    pub fn best_response(&self, player: usize, against: &Strategy) -> f64 {
        let flat = self.flat(against);
        // Probability that chance and the other player reach each node.
        let mut reach = vec![0.0; self.nodes.len()];
        self.roots.iter().for_each(|&root| reach[root] = 1.0);
        for (node, it) in self.nodes.iter().enumerate() {
            // Successors have higher indices than their node.
            let Node::Choice { set, next } = it else {
                continue;
            };
            for (&next, action) in self.next[next.clone()]
                .iter()
                .zip(self.sets[*set].actions.clone())
            {
                reach[next] = reach[node]
                    * if self.sets[*set].player == player {
                        1.0
                    } else {
                        flat[action]
                    };
            }
        }
        let mut best = vec![None; self.sets.len()];
        let mut search = Response {
            tree: self,
            player,
            flat: &flat,
            reach: &reach,
            best: &mut best,
        };
        self.mean(|root| search.worth(root))
    }

    /// Returns the mean gain of the best responses to a strategy over both seats; 0 in equilibrium.
    pub fn exploitability(&self, strategy: &Strategy) -> f64 {
        (self.best_response(0, strategy) + self.best_response(1, strategy)) / 2.0
    }
}

/// The computation of a best response.
struct Response<'a> {
    tree: &'a Tree,
    player: usize,
    flat: &'a [f64],
    reach: &'a [f64],
    /// The best action in each situation, if it is known yet.
    best: &'a mut [Option<usize>],
}

impl Response<'_> {
    /// Returns the payoff of the player from a node on.
    fn worth(&mut self, node: usize) -> f64 {
        let tree = self.tree;
        match &tree.nodes[node] {
            Node::End(payoff) if self.player == 0 => *payoff,
            Node::End(payoff) => -payoff,
            Node::Choice { set, next } if tree.sets[*set].player == self.player => {
                let best = self.choose(*set);
                self.worth(tree.next[next.start + best])
            }
            Node::Choice { set, next } => {
                let followers = tree.next[next.clone()]
                    .iter()
                    .zip(tree.sets[*set].actions.clone());
                followers
                    .map(|(&next, action)| self.flat[action] * self.worth(next))
                    .sum()
            }
        }
    }

    /// Returns the best action in a situation. It is the same at all of its nodes, weighted by the
    /// probability that chance and the other player reach them.
    fn choose(&mut self, set: usize) -> usize {
        if let Some(best) = self.best[set] {
            return best;
        }
        let Set { actions, nodes, .. } = &self.tree.sets[set];
        let mut merits = vec![0.0; actions.len()];
        for &node in nodes.iter().filter(|&&node| self.reach[node] > 0.0) {
            let Node::Choice { next, .. } = &self.tree.nodes[node] else {
                continue;
            };
            for (merit, &follower) in merits.iter_mut().zip(&self.tree.next[next.clone()]) {
                *merit += self.reach[node] * self.worth(follower);
            }
        }
        let best = (0..merits.len())
            .max_by(|&a, &b| f64::total_cmp(&merits[a], &merits[b]))
            .unwrap_or(0);
        self.best[set] = Some(best);
        best
    }
}

/// The training of a strategy.
#[derive(Debug)]
pub struct Solver {
    tree: Tree,
    rounds: u32,
    regrets: Vec<f64>,
    /// Changes of regrets in the current round.
    changes: Vec<f64>,
    strategy: Vec<f64>,
    sums: Vec<f64>,
}

impl Solver {
    /// Creates a solver with uniform strategies.
    pub fn new(tree: Tree) -> Solver {
        let zeros = vec![0.0; tree.size];
        let strategy = tree.flat(&Strategy::default());
        Solver {
            rounds: 0,
            regrets: zeros.clone(),
            changes: zeros.clone(),
            strategy,
            sums: zeros,
            tree,
        }
    }

    /// Returns the game tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the number of completed rounds.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Trains for this number of rounds.
    pub fn train(&mut self, rounds: u32) {
        let roots = self.tree.roots.clone();
        for _ in 0..rounds {
            self.rounds += 1;
            for player in 0..2 {
                roots
                    .iter()
                    .for_each(|&root| _ = self.walk(root, player, 1.0, 1.0));
                self.update(player);
            }
        }
    }

    /// Returns the payoff of `player` from a node on and updates regrets. `own` and `others` are
    /// the probabilities that the player, and the other player with chance, reach the node.
    fn walk(&mut self, node: usize, player: usize, own: f64, others: f64) -> f64 {
        let (set, next) = match &self.tree.nodes[node] {
            Node::End(payoff) => return if player == 0 { *payoff } else { -payoff },
            Node::Choice { set, next } => (*set, next.clone()),
        };
        let (whose, actions) = (
            self.tree.sets[set].player,
            self.tree.sets[set].actions.clone(),
        );
        if whose != player {
            let followers = next.zip(actions);
            return followers.fold(0.0, |sum, (next, action)| {
                let chance = self.strategy[action];
                sum + chance * self.walk(self.tree.next[next], player, own, others * chance)
            });
        }
        let mut mean = 0.0;
        for (next, action) in next.zip(actions.clone()) {
            let chance = self.strategy[action];
            let worth = self.walk(self.tree.next[next], player, own * chance, others);
            mean += chance * worth;
            self.changes[action] += others * worth;
            self.sums[action] += f64::from(self.rounds) * own * chance;
        }
        actions.for_each(|action| self.changes[action] -= others * mean);
        mean
    }

    /// Applies regret matching: probabilities in proportion to positive regrets.
    fn update(&mut self, player: usize) {
        for set in self.tree.sets.iter().filter(|set| set.player == player) {
            let at = set.actions.clone();
            for action in at.clone() {
                self.regrets[action] = (self.regrets[action] + self.changes[action]).max(0.0);
                self.changes[action] = 0.0;
            }
            let probabilities = normalized(&self.regrets[at.clone()]);
            self.strategy[at].copy_from_slice(&probabilities);
        }
    }

    /// Returns the mean strategy of all rounds, weighted by round number.
    pub fn strategy(&self) -> Strategy {
        let of = |set: &Set| (set.situation, normalized(&self.sums[set.actions.clone()]));
        Strategy(self.tree.sets.iter().map(of).collect())
    }
}

/// Normalises weights to probabilities; uniform if all are zero.
fn normalized(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len() as f64;
    weights
        .iter()
        .map(|weight| if sum > 0.0 { weight / sum } else { even })
        .collect()
}
