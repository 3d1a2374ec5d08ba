/**
 * READY shards become leases of workers that wait for work.
 *
 * <p>Start with {@link dev.mayfly.core.dispatch.Dispatcher}: one pass matches all waiting syncs of
 * an instance with the shards of the queue.
 */
@NullMarked
package dev.mayfly.core.dispatch;

import org.jspecify.annotations.NullMarked;
