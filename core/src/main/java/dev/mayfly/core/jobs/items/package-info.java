/**
 * The tasks of a file of items, as a client has stored them.
 *
 * <p>Start with {@link dev.mayfly.core.jobs.items.StoredItems}.
 */
@NullMarked
package dev.mayfly.core.jobs.items;

import org.jspecify.annotations.NullMarked;
