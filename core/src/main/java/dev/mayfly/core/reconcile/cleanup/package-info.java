/**
 * Compares what the cloud has with what the ledger says, and deletes what no worker owns.
 *
 * <p>A pass reads facts, decides by a pure function and acts; a dry run does not act.
 *
 * <p>It runs apart from the reconcile loop, so that neither stops when the other fails. Start with
 * {@link dev.mayfly.core.reconcile.cleanup.OrphanCollector}; the rules are in {@link
 * dev.mayfly.core.reconcile.cleanup.OrphanPlanner}.
 */
@NullMarked
package dev.mayfly.core.reconcile.cleanup;

import org.jspecify.annotations.NullMarked;
