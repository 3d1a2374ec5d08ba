/**
 * Commands about manual slices: create, delete, reshape and list.
 *
 * <p>Start with {@link dev.mayfly.cli.slice.ManualSlices}.
 */
@NullMarked
package dev.mayfly.cli.slice;

import org.jspecify.annotations.NullMarked;
