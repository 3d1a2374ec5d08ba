/**
 * The agent on a machine as a pure event loop: events in, effects out.
 *
 * <p>Start with {@link dev.mayfly.core.agent.Agent}; module node-agent performs the effects on
 * threads, module sim in virtual time.
 */
@NullMarked
package dev.mayfly.core.agent;

import org.jspecify.annotations.NullMarked;
