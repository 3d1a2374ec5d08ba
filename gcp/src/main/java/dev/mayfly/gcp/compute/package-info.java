/**
 * Ordinary machines, from Compute Engine.
 *
 * <p>Start with {@link dev.mayfly.gcp.compute.ComputeEngine}, which builds the fleet from {@link
 * dev.mayfly.gcp.compute.ComputeSettings}. Calls return when the service has accepted a request. An
 * operation is polled later by name, never waited for, because a waiting client loses the code that
 * distinguishes a stockout from an outage.
 */
@NullMarked
package dev.mayfly.gcp.compute;

import org.jspecify.annotations.NullMarked;
