//! The engine: what modules may be made of, how they are compiled, and where their instances lie.

use super::limits::Limits;
use std::sync::LazyLock;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Result, Strategy,
};

/// Instances that may live at the same time: those at tables, one a thread and seat.
const INSTANCES: u32 = 1000;
/// Bytes of a memory that are set back by copying rather than by the system's leave to forget them:
/// what a bot touches in a block is little.
const RESIDENT: usize = 256 << 10;

static ENGINE: LazyLock<Result<Engine, String>> = LazyLock::new(|| {
    // Where there is no room for the addresses of so many memories (a limit on address space), each
    // instance gets its own.
    let pooled = InstanceAllocationStrategy::Pooling(pool());
    let made = make(pooled).or_else(|_| make(InstanceAllocationStrategy::OnDemand));
    made.map_err(|error| format!("WebAssembly cannot be run here: {error}"))
});

/// The engine of this process.
pub(super) fn engine() -> Result<&'static Engine, String> {
    ENGINE.as_ref().map_err(Clone::clone)
}

/// An engine that compiles and runs nothing: its code is what [`engine`] takes.
pub(super) fn compiler() -> Result<Engine> {
    make(InstanceAllocationStrategy::OnDemand)
}

fn make(instances: InstanceAllocationStrategy) -> Result<Engine> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed);
    config.allocation_strategy(instances);
    // What ends a bot must end it everywhere, so fuel does, which is counted by instructions. An
    // epoch, a clock, would be looked at where fuel is, at the start of every function and
    // loop, and nowhere else: a bot would pay for it and nothing would be ended sooner.
    config
        .consume_fuel(true)
        .epoch_interruption(false)
        .max_wasm_stack(Limits::STACK);
    // Everything that may come out otherwise on another machine is shut out or made one: which NaN
    // it is, and the operations that leave a choice to the processor. Other vectors are as
    // exact as numbers.
    config
        .cranelift_nan_canonicalization(true)
        .wasm_simd(true)
        .wasm_relaxed_simd(false);
    // One memory of 32-bit addresses, as the interface says.
    config.wasm_memory64(false).wasm_multi_memory(false);
    // Faults tell function and offset.
    config.generate_address_map(true);
    Engine::new(&config)
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(INSTANCES)
        .total_tables(INSTANCES);
    pool.max_memories_per_module(1)
        .max_tables_per_module(1)
        .table_elements(Limits::TABLE);
    pool.linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(RESIDENT);
    pool
}
