/**
 * Files between this computer, workers, tasks and buckets.
 *
 * <p>Start with {@link dev.mayfly.cli.copy.CopyCommand}. What is copied appears at its destination
 * whole or not at all, and replaces nothing unless it is told to.
 */
@NullMarked
package dev.mayfly.cli.copy;

import org.jspecify.annotations.NullMarked;
