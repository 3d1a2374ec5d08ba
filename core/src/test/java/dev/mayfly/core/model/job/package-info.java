/**
 * What a user asks of a job, its tasks, and how each of them ended.
 *
 * <p>Start with JobSpec.
 */
@NullMarked
package dev.mayfly.core.model.job;

import org.jspecify.annotations.NullMarked;
