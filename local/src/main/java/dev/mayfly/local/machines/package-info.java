/**
 * The shared parts of Compute Engine and Cloud TPU: machines as process trees, their metadata
 * servers, and injected faults and limits.
 *
 * <p>Start at {@link dev.mayfly.local.machines.Hypervisor}, which boots a {@link
 * dev.mayfly.local.machines.VmSpec} and finds machines again after a restart; {@link
 * dev.mayfly.local.machines.RunningVm} is a running machine.
 */
@NullMarked
package dev.mayfly.local.machines;

import org.jspecify.annotations.NullMarked;
