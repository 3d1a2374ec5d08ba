/**
 * Makes a machine ready for tasks before it takes any: devices, file systems, the cluster's image.
 *
 * <p>Start with {@link dev.mayfly.agent.boot.MachinePreparation}; each {@link
 * dev.mayfly.agent.boot.PreparationStep} either works or names its cause.
 */
@NullMarked
package dev.mayfly.agent.boot;

import org.jspecify.annotations.NullMarked;
