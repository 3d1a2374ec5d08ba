/**
 * The metrics of attempts: the file that a task appends to, and what it said over time.
 *
 * <p>Start with {@link dev.mayfly.agent.metrics.AttemptMetrics}.
 */
@NullMarked
package dev.mayfly.agent.metrics;

import org.jspecify.annotations.NullMarked;
