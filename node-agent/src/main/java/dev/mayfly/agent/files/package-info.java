/**
 * What the agent keeps on disk: the work directory, a private folder per attempt, unpacked code.
 *
 * <p>Start with {@link dev.mayfly.agent.files.WorkDir}. No code here lets the system follow a link
 * that a task made; {@link dev.mayfly.agent.files.TaskTree} reads its text.
 */
@NullMarked
package dev.mayfly.agent.files;

import org.jspecify.annotations.NullMarked;
