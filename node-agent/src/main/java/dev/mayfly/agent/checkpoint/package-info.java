/**
 * Checkpoints: the folder {@code $MAYFLY_CHECKPOINT} of an attempt, kept in step with the bucket.
 *
 * <p>Start with {@link dev.mayfly.agent.checkpoint.CheckpointSync}, which one attempt has. {@link
 * dev.mayfly.agent.checkpoint.CheckpointStore} knows the objects.
 *
 * <p><b>Rule:</b> objects are created once and never replaced; a manifest comes last.
 */
@NullMarked
package dev.mayfly.agent.checkpoint;

import org.jspecify.annotations.NullMarked;
