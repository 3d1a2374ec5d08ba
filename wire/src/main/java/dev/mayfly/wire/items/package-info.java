/**
 * Files of items: tables and lists from which a client makes the tasks of a job.
 *
 * <p>Start with {@link dev.mayfly.wire.items.ItemsFileReader}.
 */
@NullMarked
package dev.mayfly.wire.items;

import org.jspecify.annotations.NullMarked;
