/**
 * What Compute Engine and Cloud TPU share: machines as process trees, the metadata server each one
 * sees, and the faults and limits set on purpose.
 *
 * <p>Start at {@link dev.mayfly.local.machines.Hypervisor}, which boots a {@link
 * dev.mayfly.local.machines.VmSpec} and finds machines again after a restart; {@link
 * dev.mayfly.local.machines.RunningVm} is one that runs.
 */
@NullMarked
package dev.mayfly.local.machines;

import org.jspecify.annotations.NullMarked;
