/**
 * One task that several hosts run together: the run, its members, orders and reports.
 *
 * <p>Start with GangRun.
 */
@NullMarked
package dev.mayfly.core.model.gang;

import org.jspecify.annotations.NullMarked;
