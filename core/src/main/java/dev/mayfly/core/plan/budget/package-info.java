/**
 * What a cluster's budget allows a plan: start with {@link
 * dev.mayfly.core.plan.budget.HourlySpending} for the hour and {@link
 * dev.mayfly.core.plan.budget.MonthlySpending} for the month.
 */
@NullMarked
package dev.mayfly.core.plan.budget;

import org.jspecify.annotations.NullMarked;
