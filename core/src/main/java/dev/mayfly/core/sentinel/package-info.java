/**
 * Sentinels of many tasks in one object, as agents write them and as whoever asks what is done
 * reads them.
 *
 * <p>Start with {@link dev.mayfly.core.sentinel.SharedSentinels}.
 */
@NullMarked
package dev.mayfly.core.sentinel;

import org.jspecify.annotations.NullMarked;
