/**
 * Reconciling and cleanup against fakes, without agents: launches, refused orders, orphans,
 * rollouts.
 *
 * <p>Start with {@link dev.mayfly.sim.reconcile.ReconcileLoopTest}.
 */
@NullMarked
package dev.mayfly.sim.reconcile;

import org.jspecify.annotations.NullMarked;
