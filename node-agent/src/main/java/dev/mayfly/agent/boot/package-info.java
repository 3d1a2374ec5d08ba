/**
 * Prepares a machine before it takes tasks: devices, programs, file systems, the cluster's image.
 *
 * <p>Start with {@link dev.mayfly.agent.boot.MachinePreparation}; each {@link
 * dev.mayfly.agent.boot.PreparationStep} either succeeds or names a cause.
 */
@NullMarked
package dev.mayfly.agent.boot;

import org.jspecify.annotations.NullMarked;
