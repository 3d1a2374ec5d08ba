/**
 * A thousand waiting agents and one new job: how soon all of it is leased, and how many commits
 * fail.
 *
 * <p>Start with {@link dev.mayfly.bench.agents.WaitingAgentsMain}. Everything is real except the
 * agents, which only sync and run nothing: the use cases of the control plane, the Firestore
 * adapter on the official emulator, and HTTP on loopback.
 */
@NullMarked
package dev.mayfly.bench.agents;

import org.jspecify.annotations.NullMarked;
