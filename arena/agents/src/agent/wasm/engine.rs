//! The WebAssembly engine: supported features, compiler settings and allocation of instances.

use super::limits::WasmLimits;
use std::sync::LazyLock;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Result, Strategy,
};

/// Maximum number of simultaneous instances: one per thread and seat.
const INSTANCES: u32 = 1000;
/// Number of bytes at the start of a memory that are reset by copying instead of a system call.
/// Most bots write only a few bytes in a block.
const RESIDENT: usize = 256 << 10;

static ENGINE: LazyLock<Result<Engine, String>> = LazyLock::new(|| {
    // If address space is limited, the pool cannot be reserved and each instance is allocated
    // separately.
    let pooled = InstanceAllocationStrategy::Pooling(pool());
    make(pooled)
        .or_else(|_| make(InstanceAllocationStrategy::OnDemand))
        .map_err(|error| format!("WebAssembly cannot be run on this machine: {error}"))
});

/// Returns the engine of this process.
pub(super) fn engine() -> Result<&'static Engine, String> {
    ENGINE.as_ref().map_err(Clone::clone)
}

/// Returns an engine that only compiles. [`engine`] accepts the compiled code.
pub(super) fn compiler() -> Result<Engine> {
    make(InstanceAllocationStrategy::OnDemand)
}

fn make(instances: InstanceAllocationStrategy) -> Result<Engine> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed);
    config.allocation_strategy(instances);
    // A bot must be stopped at the same instruction on every machine, so fuel limits it. An epoch
    // (a clock) would also stop memory accesses that miss the cache and take much time for little
    // fuel, but it costs 40 % more instructions.
    config
        .consume_fuel(true)
        .epoch_interruption(false)
        .max_wasm_stack(WasmLimits::STACK);
    // Exclude results that differ between machines: bits of NaN values, and relaxed SIMD. Other
    // SIMD instructions are deterministic.
    config
        .cranelift_nan_canonicalization(true)
        .wasm_simd(true)
        .wasm_relaxed_simd(false);
    // The interface requires a single memory with 32-bit addresses.
    config.wasm_memory64(false).wasm_multi_memory(false);
    // Error messages contain function and offset.
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
        .table_elements(WasmLimits::TABLE);
    pool.linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(RESIDENT);
    pool
}
