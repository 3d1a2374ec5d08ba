/**
 * The logs of jobs as people read them: which pieces in the bucket, which lines of those, and the
 * report that somebody follows.
 *
 * <p>Start with {@link dev.mayfly.cli.logs.JobLogs}.
 */
@NullMarked
package dev.mayfly.cli.logs;

import org.jspecify.annotations.NullMarked;
