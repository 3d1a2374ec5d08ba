/**
 * Pure state tables: how events change a worker, a gang's run and a shard.
 *
 * <p>Start with WorkerLifecycle, GangLifecycle and ShardTransitions.
 */
@NullMarked
package dev.mayfly.core.lifecycle;

import org.jspecify.annotations.NullMarked;
