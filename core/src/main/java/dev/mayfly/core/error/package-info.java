/**
 * What went wrong, sorted by who can mend it.
 *
 * <p>Start with {@link dev.mayfly.core.error.MayflyException}.
 */
@NullMarked
package dev.mayfly.core.error;

import org.jspecify.annotations.NullMarked;
