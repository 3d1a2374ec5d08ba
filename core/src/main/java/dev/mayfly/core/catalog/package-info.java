/**
 * What Google offers: CPUs, memory, GPUs and TPU chips of each machine type, and list prices of
 * machines and of data transfer. The figures are tables beside this package, in {@code
 * core/src/main/resources/dev/mayfly/core/catalog}, with their sources.
 *
 * <p>Start with {@link dev.mayfly.core.catalog.MachineTypes}, then {@link
 * dev.mayfly.core.catalog.MachinePrices}.
 */
@NullMarked
package dev.mayfly.core.catalog;

import org.jspecify.annotations.NullMarked;
