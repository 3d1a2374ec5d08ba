/**
 * Commands about jobs: submit, run, follow, read logs, explain, stop and retry.
 *
 * <p>Start with SubmitCommand.
 */
@NullMarked
package dev.mayfly.cli.job;

import org.jspecify.annotations.NullMarked;
