/**
 * Agents report here and get their orders.
 *
 * <p>Start with SyncService: ClusterSession keeps the waiting syncs of one cluster, ReportHandler
 * admits and writes a report, OrdersBuilder builds the answer, LivenessMonitor finds lost workers.
 */
@NullMarked
package dev.mayfly.core.sync;

import org.jspecify.annotations.NullMarked;
