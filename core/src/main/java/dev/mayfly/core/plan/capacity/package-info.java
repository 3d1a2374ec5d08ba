/**
 * What a cluster has and can get: free room, workers that are kept for a job or must drain, and
 * zones that may be asked for machines.
 *
 * <p>Start with {@link dev.mayfly.core.plan.capacity.ClusterInventory}.
 */
@NullMarked
package dev.mayfly.core.plan.capacity;

import org.jspecify.annotations.NullMarked;
