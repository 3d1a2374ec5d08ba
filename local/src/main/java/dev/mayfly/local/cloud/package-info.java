/**
 * The simulated cloud: one process, one HTTP port and one gRPC port on 127.0.0.1, state under
 * $MAYFLY_HOME/cloud/.
 *
 * <p>Start at {@link dev.mayfly.local.cloud.SimulatedCloud}, which wires it, or {@link
 * dev.mayfly.local.cloud.CloudMain}, which runs it.
 */
@NullMarked
package dev.mayfly.local.cloud;

import org.jspecify.annotations.NullMarked;
