/**
 * Commands about workers, and the process that keeps this machine joined as a static worker.
 *
 * <p>Start with {@link dev.mayfly.cli.worker.WorkerJoinCommand}.
 */
@NullMarked
package dev.mayfly.cli.worker;

import org.jspecify.annotations.NullMarked;
