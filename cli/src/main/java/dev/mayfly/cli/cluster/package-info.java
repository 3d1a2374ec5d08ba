/**
 * Commands about clusters: up, down, status, events and cleanup.
 *
 * <p>Start with {@link dev.mayfly.cli.cluster.UpCommand}.
 */
@NullMarked
package dev.mayfly.cli.cluster;

import org.jspecify.annotations.NullMarked;
