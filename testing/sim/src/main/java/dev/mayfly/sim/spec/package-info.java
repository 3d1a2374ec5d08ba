/**
 * Clusters and jobs of simulations and of tests: each names only what it depends on. Begin at
 * {@link dev.mayfly.sim.spec.JobBuilder}.
 */
@NullMarked
package dev.mayfly.sim.spec;

import org.jspecify.annotations.NullMarked;
