/**
 * What Compute Engine and Cloud TPU share: machines as process trees, the metadata server each one
 * sees, and the faults and limits set on purpose.
 *
 * <p>Start at Hypervisor, which boots a VmSpec and finds machines again after a restart; RunningVm
 * is one that runs.
 */
@NullMarked
package dev.mayfly.local.machines;

import org.jspecify.annotations.NullMarked;
