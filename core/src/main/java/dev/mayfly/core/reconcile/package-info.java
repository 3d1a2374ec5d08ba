/**
 * Brings stored and real state together: observe a cluster, do what is owed, plan, commit, act.
 *
 * <p>Start with {@link dev.mayfly.core.reconcile.ReconcileLoop}, then {@link
 * dev.mayfly.core.reconcile.ClusterReconciler}.
 */
@NullMarked
package dev.mayfly.core.reconcile;

import org.jspecify.annotations.NullMarked;
