/**
 * One worker's life, as values.
 *
 * <p>Read {@link dev.mayfly.core.model.WorkerState} for the states, {@link
 * dev.mayfly.core.worker.WorkerEvent} for what can happen, and {@link
 * dev.mayfly.core.worker.WorkerLifecycle} for the one table that joins them. {@code docs/states.md}
 * draws it.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.worker;

import org.jspecify.annotations.NullMarked;
