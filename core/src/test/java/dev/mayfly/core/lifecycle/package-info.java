/**
 * Pure state tables: what each event makes of a worker, of a gang's run and of a shard.
 *
 * <p>Start with WorkerLifecycle, GangLifecycle and ShardTransitions.
 */
@NullMarked
package dev.mayfly.core.lifecycle;

import org.jspecify.annotations.NullMarked;
