/**
 * What a user asks of a cluster: its pools, their machines and what they may cost.
 *
 * <p>Start with ClusterSpec.
 */
@NullMarked
package dev.mayfly.core.model.cluster;

import org.jspecify.annotations.NullMarked;
