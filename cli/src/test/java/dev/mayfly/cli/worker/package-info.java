/**
 * Commands about workers, and the process that keeps this machine joined as a static worker.
 *
 * <p>Start with WorkerJoinCommand.
 */
@NullMarked
package dev.mayfly.cli.worker;

import org.jspecify.annotations.NullMarked;
