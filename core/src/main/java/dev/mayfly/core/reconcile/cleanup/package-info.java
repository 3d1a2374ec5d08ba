/**
 * Compares what the cloud has with what the ledger says, and deletes what no worker owns.
 *
 * <p>It runs apart from the reconcile loop, so that neither stops when the other fails. Start with
 * {@link dev.mayfly.core.reconcile.cleanup.OrphanCollector}.
 */
@NullMarked
package dev.mayfly.core.reconcile.cleanup;

import org.jspecify.annotations.NullMarked;
