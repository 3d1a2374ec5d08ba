/**
 * A worker's states and identity, and what its agent is told at its start.
 *
 * <p>Start with {@link dev.mayfly.core.model.worker.WorkerState}.
 */
@NullMarked
package dev.mayfly.core.model.worker;

import org.jspecify.annotations.NullMarked;
