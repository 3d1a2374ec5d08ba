/**
 * What somebody expects of an experiment, and whether it was so. Start with {@link
 * dev.mayfly.sim.expectation.Expectation}. Nothing here runs anything: an expectation is compared
 * with a result.
 */
@NullMarked
package dev.mayfly.sim.expectation;

import org.jspecify.annotations.NullMarked;
