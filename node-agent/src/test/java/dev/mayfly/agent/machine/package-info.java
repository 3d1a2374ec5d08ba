/**
 * The machine: metadata server, preemption notices, place in a TPU slice, address, devices.
 *
 * <p>Start with MetadataClient.
 */
@NullMarked
package dev.mayfly.agent.machine;

import org.jspecify.annotations.NullMarked;
