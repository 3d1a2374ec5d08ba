/**
 * Brings what tasks print into the object store.
 *
 * <p>Start at {@link dev.mayfly.agent.logs.Logs}. {@link dev.mayfly.agent.logs.LogPieces} turns one
 * file into numbered objects; {@link dev.mayfly.agent.logs.LogPace} says how often.
 *
 * <p><b>Rule:</b> no object without output, none is ever replaced, and a log that cannot be sent
 * never holds up a task.
 */
@NullMarked
package dev.mayfly.agent.logs;

import org.jspecify.annotations.NullMarked;
