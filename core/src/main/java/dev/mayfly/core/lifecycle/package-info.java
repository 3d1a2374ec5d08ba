/**
 * Pure state tables: how events change a worker, a gang's run and a shard.
 *
 * <p>Start with {@link dev.mayfly.core.lifecycle.WorkerLifecycle}, {@link
 * dev.mayfly.core.lifecycle.GangLifecycle} and {@link dev.mayfly.core.lifecycle.ShardTransitions}.
 */
@NullMarked
package dev.mayfly.core.lifecycle;

import org.jspecify.annotations.NullMarked;
