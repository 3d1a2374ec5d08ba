/**
 * What a job may cost, as values.
 *
 * <p>Start with {@link JobSpending}.
 */
@NullMarked
package dev.mayfly.core.plan.spending;

import org.jspecify.annotations.NullMarked;
