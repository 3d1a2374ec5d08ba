/**
 * All state, in Firestore.
 *
 * <p>Start with {@link dev.mayfly.gcp.firestore.FirestoreDatabase}, which opens the ledger that
 * {@link dev.mayfly.gcp.firestore.FirestoreSettings} name. Documents are stored at the paths of
 * their keys, field by field, so that the console shows them; additional fields are listed in
 * {@link dev.mayfly.gcp.firestore.DocumentMapper}. There are no transactions: a batch of writes
 * with preconditions is atomic, and the loser of a conflict reads again. The indexes that queries
 * need are declared in {@code terraform/modules/control-plane/firestore.json}.
 */
@NullMarked
package dev.mayfly.gcp.firestore;

import org.jspecify.annotations.NullMarked;
