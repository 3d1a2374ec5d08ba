/**
 * The part of the Compute Engine REST API that Mayfly uses, with machines that really run.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.compute.ComputeApi}, which turns requests into calls
 * on {@link dev.mayfly.local.cloud.compute.Machines}; {@code MachineLife} is one machine's life
 * from insert to its end, as one thread. What is stored and sent are Google's generated messages.
 *
 * <p>Served: {@code instances} insert, get, list, aggregatedList, delete, stop, setLabels; {@code
 * zoneOperations} get, list, wait; {@code zones} get, list; {@code machineTypes} get. Filters are
 * comparisons with {@code =}, {@code !=} or {@code :*}, joined by AND.
 */
@NullMarked
package dev.mayfly.local.cloud.compute;

import org.jspecify.annotations.NullMarked;
