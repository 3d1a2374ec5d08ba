/**
 * Cloud TPU v2 as gRPC: nodes whose hosts are process trees with the real agent, and their
 * operations.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.tpu.TpuNodes}, which holds all of it; {@code TpuApi}
 * and {@code OperationsApi} are its two services, {@link dev.mayfly.local.cloud.tpu.TpuDials} what
 * befalls nodes.
 */
@NullMarked
package dev.mayfly.local.cloud.tpu;

import org.jspecify.annotations.NullMarked;
