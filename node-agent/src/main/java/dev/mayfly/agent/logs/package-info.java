/**
 * The logs of attempts: the file on disk, its pieces in the object store, and the last lines that
 * explain a failure. With them the histories of their metrics are stored.
 *
 * <p>Start with {@link dev.mayfly.agent.logs.LogUploader}.
 */
@NullMarked
package dev.mayfly.agent.logs;

import org.jspecify.annotations.NullMarked;
