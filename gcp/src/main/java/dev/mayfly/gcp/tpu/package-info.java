/**
 * TPU machines, from Cloud TPU v2.
 *
 * <p>Start with {@link dev.mayfly.gcp.tpu.CloudTpu}, the one public way in. Calls return when the
 * service has taken a request: an operation is looked at later by its name, never waited for,
 * because the client's own wait ends after five minutes, while the TPU still comes up. Machines are
 * plain nodes: a node has one name, one state and one delete, and a create that finds no room says
 * so, so that the planner can look elsewhere at once.
 */
@NullMarked
package dev.mayfly.gcp.tpu;

import org.jspecify.annotations.NullMarked;
