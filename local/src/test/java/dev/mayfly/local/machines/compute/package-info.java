/**
 * The part of the Compute Engine REST API that Mayfly uses, with machines as real processes.
 *
 * <p>Start at ComputeApi, which turns requests into calls on ComputeMachines; MachineLifecycle runs
 * one machine from insert to its end, as one thread.
 */
@NullMarked
package dev.mayfly.local.machines.compute;

import org.jspecify.annotations.NullMarked;
