/**
 * Keys with which the hosts of one gang's run reach each other by ssh.
 *
 * <p>Start with {@link dev.mayfly.agent.ssh.SshKeyPair}.
 */
@NullMarked
package dev.mayfly.agent.ssh;

import org.jspecify.annotations.NullMarked;
