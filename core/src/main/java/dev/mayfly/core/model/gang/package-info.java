/**
 * One task that several hosts run together: the run, its members, orders and reports.
 *
 * <p>Start with {@link dev.mayfly.core.model.gang.GangRun}.
 */
@NullMarked
package dev.mayfly.core.model.gang;

import org.jspecify.annotations.NullMarked;
