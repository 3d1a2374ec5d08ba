/**
 * Cloud TPU v2 over gRPC: nodes whose hosts are process trees with the real agent, and their
 * operations.
 *
 * <p>Start at TpuNodes, which holds all state; TpuApi and OperationsApi are its two services,
 * TpuFaultControls injects faults into nodes.
 */
@NullMarked
package dev.mayfly.local.machines.tpu;

import org.jspecify.annotations.NullMarked;
