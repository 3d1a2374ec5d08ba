/**
 * The ledger port on SQLite: $MAYFLY_HOME/ledger/ledger.db.
 *
 * <p>Start at {@link dev.mayfly.local.ledger.SqliteLedger}. One table holds every document as JSON,
 * beside the few columns that queries need; a commit is a transaction that is on the disk when it
 * returns.
 */
@NullMarked
package dev.mayfly.local.ledger;

import org.jspecify.annotations.NullMarked;
