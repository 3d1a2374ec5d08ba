/**
 * A worker's states and identity, and the information that its agent gets at the start.
 *
 * <p>Start with {@link dev.mayfly.core.model.worker.WorkerState}.
 */
@NullMarked
package dev.mayfly.core.model.worker;

import org.jspecify.annotations.NullMarked;
