/**
 * What the agent keeps on disk: the work directory, a private folder for each attempt, unpacked
 * code.
 *
 * <p>Start with WorkDir; no step follows a link that a task made.
 */
@NullMarked
package dev.mayfly.agent.files;

import org.jspecify.annotations.NullMarked;
