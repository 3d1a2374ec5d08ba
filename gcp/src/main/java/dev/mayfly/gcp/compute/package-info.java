/**
 * Ordinary machines, from Compute Engine.
 *
 * <p>Start with {@link dev.mayfly.gcp.compute.ComputeEngine}, the one public way in. Calls return
 * when the service has taken a request: an operation is looked at later by its name, never waited
 * for, because a waiting client loses the code that tells a stockout from an outage.
 */
@NullMarked
package dev.mayfly.gcp.compute;

import org.jspecify.annotations.NullMarked;
