/**
 * The property that the remedy of a reason helps.
 *
 * <p>Start with {@link dev.mayfly.sim.remedy.RemediesHelpTest}.
 */
@NullMarked
package dev.mayfly.sim.remedy;

import org.jspecify.annotations.NullMarked;
