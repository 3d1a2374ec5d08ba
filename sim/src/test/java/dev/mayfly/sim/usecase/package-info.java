/**
 * The use cases of {@code core.control} on a calm world whose ledger a test may trip.
 *
 * <p>Start with {@link dev.mayfly.sim.usecase.Lab}; {@link dev.mayfly.sim.usecase.Caller} speaks as
 * an agent.
 */
@NullMarked
package dev.mayfly.sim.usecase;

import org.jspecify.annotations.NullMarked;
