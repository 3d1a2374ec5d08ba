/**
 * What the hosts of a gang need of each other: a port, keys for ssh, a Ray cluster.
 *
 * <p>Start with {@link dev.mayfly.agent.gang.SshGang}.
 */
@NullMarked
package dev.mayfly.agent.gang;

import org.jspecify.annotations.NullMarked;
