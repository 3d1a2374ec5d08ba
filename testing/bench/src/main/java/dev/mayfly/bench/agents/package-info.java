/**
 * A thousand agents that wait, and a job that comes: how soon all of it is leased, and how many
 * commits were made in vain.
 *
 * <p>Start with {@link dev.mayfly.bench.agents.WaitingAgentsMain}. Everything is real but the
 * agents, which are calls that wait and run nothing: the use cases of the control plane, the
 * Firestore adapter on the official emulator, and HTTP on loopback.
 */
@NullMarked
package dev.mayfly.bench.agents;

import org.jspecify.annotations.NullMarked;
