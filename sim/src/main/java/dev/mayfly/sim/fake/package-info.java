/**
 * A fake for every port, in virtual time and with seeded faults.
 *
 * <p>Start with {@link dev.mayfly.sim.fake.SimTime}. Each fake keeps the whole truth where the
 * world's observer can see it, passes the port's contract while no fault is dialled in, and with
 * faults does only what the real thing may do.
 *
 * <p><b>Rule:</b> nothing here depends on the wall clock, on identity or on the order of a hash.
 */
@NullMarked
package dev.mayfly.sim.fake;

import org.jspecify.annotations.NullMarked;
