/**
 * What the agent reports to the control plane, and what it does when it cannot reach it or has to
 * end.
 *
 * <p>Start with {@link dev.mayfly.core.agent.sync.SyncReportBuilder}; loop.SyncTimer decides when a
 * sync is due.
 */
@NullMarked
package dev.mayfly.core.agent.sync;

import org.jspecify.annotations.NullMarked;
