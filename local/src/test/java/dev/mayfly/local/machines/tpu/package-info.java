/**
 * Cloud TPU v2 as gRPC: nodes whose hosts are process trees with the real agent, and their
 * operations.
 *
 * <p>Start at TpuNodes, which holds all of it; TpuApi and OperationsApi are its two services,
 * TpuFaultControls makes nodes fail.
 */
@NullMarked
package dev.mayfly.local.machines.tpu;

import org.jspecify.annotations.NullMarked;
