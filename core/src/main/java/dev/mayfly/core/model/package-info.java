/**
 * The words of Mayfly as values: what a cluster, a job, a shard, a worker and a sync are.
 *
 * <p>Start with {@link dev.mayfly.core.model.Job} and {@link dev.mayfly.core.model.Shard}, then
 * {@link dev.mayfly.core.model.SyncReport} and {@link dev.mayfly.core.model.SyncOrders}, which are
 * all that an agent and the control plane say to each other. {@link dev.mayfly.core.model.Document}
 * lists what is stored and {@link dev.mayfly.core.model.Key} where.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.model;

import org.jspecify.annotations.NullMarked;
