/**
 * Decides which worker gets which shards, where a shard is split or stolen from, and when a silent
 * worker counts as lost.
 *
 * <p>Start with {@link dev.mayfly.core.plan.lease.ShardAssignment} and {@link
 * dev.mayfly.core.plan.lease.LivenessPolicy}.
 */
@NullMarked
package dev.mayfly.core.plan.lease;

import org.jspecify.annotations.NullMarked;
