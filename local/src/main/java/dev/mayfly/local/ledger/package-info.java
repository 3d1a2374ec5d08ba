/**
 * The ledger port on SQLite: {@code $MAYFLY_HOME/ledger/ledger.db}.
 *
 * <p>Start with {@link dev.mayfly.local.ledger.SqliteLedger}. One table holds every document as
 * JSON that people can read ({@code sqlite3 ledger.db "select path, json from docs"}), beside the
 * few columns that queries need. A commit is a transaction that is on the disk when it returns.
 */
@NullMarked
package dev.mayfly.local.ledger;

import org.jspecify.annotations.NullMarked;
