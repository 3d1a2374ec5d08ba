/**
 * All state, in Firestore.
 *
 * <p>Start with {@link dev.mayfly.gcp.firestore.FirestoreDatabase}, the one public way in.
 * Documents lie at the paths of their keys, field by field, so that the console shows them as they
 * are; what is beside their own fields is in {@link dev.mayfly.gcp.firestore.DocumentMapper}. There
 * is no transaction: a batch of writes with preconditions is atomic, and whoever loses looks again.
 * What the queries need of indexes is declared in {@code
 * terraform/modules/control-plane/firestore.json}.
 */
@NullMarked
package dev.mayfly.gcp.firestore;

import org.jspecify.annotations.NullMarked;
