/**
 * What cleanup decides, as tables without a cloud.
 *
 * <p>Start with OrphanPlannerTest; testing/sim has whole passes.
 */
@NullMarked
package dev.mayfly.core.reconcile.cleanup;

import org.jspecify.annotations.NullMarked;
