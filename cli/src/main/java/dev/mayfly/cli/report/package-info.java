/**
 * One file of everything that is known of a job, for a report of a problem.
 *
 * <p>Start with {@link dev.mayfly.cli.report.ReportCommand}.
 *
 * <p><b>Rule:</b> no text gets into the file but through {@link
 * dev.mayfly.cli.report.ReportSecrets}.
 */
@NullMarked
package dev.mayfly.cli.report;

import org.jspecify.annotations.NullMarked;
