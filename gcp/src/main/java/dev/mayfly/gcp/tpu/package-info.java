/**
 * TPU machines, from Cloud TPU v2.
 *
 * <p>Start with {@link dev.mayfly.gcp.tpu.CloudTpu}, which builds the fleet from {@link
 * dev.mayfly.gcp.tpu.TpuSettings}. Calls return when the service has accepted a request. An
 * operation is polled later by name, never waited for, because the client's own wait ends after
 * five minutes, while the TPU is still starting. Machines are plain nodes: a node has one name, one
 * state and one delete, and a create without capacity fails at once, so that the planner can try
 * elsewhere. Those of a named reservation wait in Cloud TPU's queue.
 */
@NullMarked
package dev.mayfly.gcp.tpu;

import org.jspecify.annotations.NullMarked;
