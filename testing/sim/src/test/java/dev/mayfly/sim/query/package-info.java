/**
 * Status queries about a cluster and its jobs, against fakes.
 *
 * <p>Start with {@link dev.mayfly.sim.query.StatusQueriesTest}.
 */
@NullMarked
package dev.mayfly.sim.query;

import org.jspecify.annotations.NullMarked;
