/**
 * Every document that the ledger stores, one record each, and its key.
 *
 * <p>Start with {@link dev.mayfly.core.model.document.LedgerDocument}, which lists them, and {@link
 * dev.mayfly.core.model.document.DocumentKey}, which has their paths.
 */
@NullMarked
package dev.mayfly.core.model.document;

import org.jspecify.annotations.NullMarked;
