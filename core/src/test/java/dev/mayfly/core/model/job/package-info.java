/**
 * Specifications of jobs, their tasks, and how each task ended.
 *
 * <p>Start with JobSpec.
 */
@NullMarked
package dev.mayfly.core.model.job;

import org.jspecify.annotations.NullMarked;
