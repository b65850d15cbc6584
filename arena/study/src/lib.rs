//! Studies that go beyond a league's report: what chance decides, what policies are learnt from games.

pub mod chart;
pub mod cns;
pub mod policy;
