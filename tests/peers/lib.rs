//! Empty library; the benchmarks are in `benches/`.
