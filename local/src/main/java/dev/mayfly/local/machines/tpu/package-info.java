/**
 * Cloud TPU v2 over gRPC: nodes whose hosts are process trees with the real agent, and their
 * operations.
 *
 * <p>Start at {@link dev.mayfly.local.machines.tpu.TpuNodes}, which holds all state; {@link
 * dev.mayfly.local.machines.tpu.TpuApi} and {@link dev.mayfly.local.machines.tpu.OperationsApi} are
 * its two services, {@link dev.mayfly.local.machines.tpu.TpuFaultControls} injects faults into
 * nodes.
 */
@NullMarked
package dev.mayfly.local.machines.tpu;

import org.jspecify.annotations.NullMarked;
