/**
 * Rounds, cleanup and changes of clusters against fakes, without agents: the tests speak for them.
 */
@NullMarked
package dev.mayfly.sim.rounds;

import org.jspecify.annotations.NullMarked;
