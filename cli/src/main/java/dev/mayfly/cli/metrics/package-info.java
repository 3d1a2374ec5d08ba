/**
 * Metrics of tasks for people and programs who compare them: statistics of groups of tasks, CSV,
 * and what attempts said over time ({@link dev.mayfly.cli.metrics.MetricCurves}).
 *
 * <p>Start with {@link dev.mayfly.cli.metrics.TaskGroups}.
 *
 * <p><b>Rule:</b> a task without a value is counted and said, and never left out silently.
 */
@NullMarked
package dev.mayfly.cli.metrics;

import org.jspecify.annotations.NullMarked;
