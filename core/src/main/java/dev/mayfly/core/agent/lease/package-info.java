/**
 * Leases from grant to release: the effect of orders, what must be known before the first start,
 * and which task starts next.
 *
 * <p>Start with {@link dev.mayfly.core.agent.lease.LeaseTable}, then {@link
 * dev.mayfly.core.agent.lease.TaskScheduler}.
 */
@NullMarked
package dev.mayfly.core.agent.lease;

import org.jspecify.annotations.NullMarked;
