/**
 * Leases from grant to release: the effect of orders, what must be known before the first start,
 * and which task starts next.
 *
 * <p>Start with LeaseTable, then TaskScheduler.
 */
@NullMarked
package dev.mayfly.core.agent.lease;

import org.jspecify.annotations.NullMarked;
