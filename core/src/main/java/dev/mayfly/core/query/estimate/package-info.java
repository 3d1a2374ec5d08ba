/**
 * When a job may be done, and what it costs until then. Start with {@link
 * dev.mayfly.core.query.estimate.EstimateReader}; {@link dev.mayfly.core.query.estimate.RestOfJob}
 * makes the spread.
 */
@NullMarked
package dev.mayfly.core.query.estimate;

import org.jspecify.annotations.NullMarked;
