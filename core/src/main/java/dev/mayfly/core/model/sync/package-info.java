/**
 * The messages between agents and the control plane.
 *
 * <p>Start with {@link dev.mayfly.core.model.sync.SyncReport} and {@link
 * dev.mayfly.core.model.sync.SyncOrders}.
 */
@NullMarked
package dev.mayfly.core.model.sync;

import org.jspecify.annotations.NullMarked;
