/**
 * Decides which worker gets which shards, where a shard is split or stolen from, and when a silent
 * worker counts as lost.
 *
 * <p>Start with ShardAssignment and LivenessPolicy.
 */
@NullMarked
package dev.mayfly.core.plan.lease;

import org.jspecify.annotations.NullMarked;
