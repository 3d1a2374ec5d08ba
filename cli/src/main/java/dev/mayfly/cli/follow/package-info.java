/**
 * Follows jobs until they have ended.
 *
 * <p>Start with {@link dev.mayfly.cli.follow.JobFollower}.
 */
@NullMarked
package dev.mayfly.cli.follow;

import org.jspecify.annotations.NullMarked;
