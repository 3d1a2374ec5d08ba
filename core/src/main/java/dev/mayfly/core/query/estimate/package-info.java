/**
 * When a job may start and be done, and what it costs until then. Start with {@link
 * dev.mayfly.core.query.estimate.EstimateReader}; {@link dev.mayfly.core.query.estimate.RestOfJob}
 * makes the spread of an end, {@link dev.mayfly.core.query.estimate.RestOfQueue} that of a start.
 */
@NullMarked
package dev.mayfly.core.query.estimate;

import org.jspecify.annotations.NullMarked;
