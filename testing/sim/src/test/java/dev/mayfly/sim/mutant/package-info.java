/**
 * Mistakes that are planted on purpose, to prove that the simulation finds them.
 *
 * <p>Start with KnownMutant, which lists them; each wraps a port, a message or a report.
 */
@NullMarked
package dev.mayfly.sim.mutant;

import org.jspecify.annotations.NullMarked;
