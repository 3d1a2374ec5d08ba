/**
 * The ledger port on SQLite: $MAYFLY_HOME/ledger/ledger.db.
 *
 * <p>Start at {@link dev.mayfly.local.ledger.SqliteLedger}. One table holds every document as JSON,
 * with a few columns for queries. A commit is a durable transaction.
 */
@NullMarked
package dev.mayfly.local.ledger;

import org.jspecify.annotations.NullMarked;
