/**
 * What Google offers: CPUs, memory, GPUs and TPU chips of each machine type, and prices of data
 * transfer.
 *
 * <p>Start with {@link dev.mayfly.core.plan.catalog.MachineTypes}.
 */
@NullMarked
package dev.mayfly.core.plan.catalog;

import org.jspecify.annotations.NullMarked;
