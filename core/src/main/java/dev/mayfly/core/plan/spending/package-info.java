/**
 * What a job may cost, and how long it may take, as values.
 *
 * <p>Start with {@link JobSpending}.
 */
@NullMarked
package dev.mayfly.core.plan.spending;

import org.jspecify.annotations.NullMarked;
