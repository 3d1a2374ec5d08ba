/**
 * What attempts tell and use: the file that a task appends to, what it said over time, and what its
 * processes use.
 *
 * <p>Start with {@link dev.mayfly.agent.metrics.AttemptMetrics} and {@link
 * dev.mayfly.agent.metrics.AttemptUse}.
 */
@NullMarked
package dev.mayfly.agent.metrics;

import org.jspecify.annotations.NullMarked;
