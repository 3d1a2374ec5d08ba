/**
 * Agents report here and get their orders.
 *
 * <p>Start with {@link dev.mayfly.core.sync.SyncService}: {@link
 * dev.mayfly.core.sync.ClusterSession} keeps the waiting syncs of one cluster, {@link
 * dev.mayfly.core.sync.ReportHandler} admits and writes a report, {@link
 * dev.mayfly.core.sync.OrdersBuilder} builds the answer, {@link
 * dev.mayfly.core.sync.LivenessMonitor} finds lost workers.
 */
@NullMarked
package dev.mayfly.core.sync;

import org.jspecify.annotations.NullMarked;
