/**
 * What went wrong, sorted by who can fix it.
 *
 * <p>Start with {@link dev.mayfly.core.error.MayflyException}, and with {@link
 * dev.mayfly.core.error.ErrorStatus} for what the caller sees.
 */
@NullMarked
package dev.mayfly.core.error;

import org.jspecify.annotations.NullMarked;
