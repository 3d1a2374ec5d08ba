/**
 * The shared parts of Compute Engine and Cloud TPU: machines as process trees, their metadata
 * servers, and injected faults and limits.
 *
 * <p>Start at Hypervisor, which boots a VmSpec and finds machines again after a restart; RunningVm
 * is a running machine.
 */
@NullMarked
package dev.mayfly.local.machines;

import org.jspecify.annotations.NullMarked;
