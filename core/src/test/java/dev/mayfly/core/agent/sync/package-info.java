/**
 * Reporting to the control plane, and how the agent handles a partition or a shutdown.
 *
 * <p>Start with SyncReportBuilder; loop.SyncTimer decides when a sync is due.
 */
@NullMarked
package dev.mayfly.core.agent.sync;

import org.jspecify.annotations.NullMarked;
