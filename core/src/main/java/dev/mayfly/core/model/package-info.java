/**
 * The small values that every other package uses: amounts of resources, sets of tasks, leases and
 * failures.
 *
 * <p>Start with {@link dev.mayfly.core.model.Resources}, {@link dev.mayfly.core.model.LeaseRef} and
 * {@link dev.mayfly.core.model.TaskSet}; the larger values are in the sub-packages.
 */
@NullMarked
package dev.mayfly.core.model;

import org.jspecify.annotations.NullMarked;
