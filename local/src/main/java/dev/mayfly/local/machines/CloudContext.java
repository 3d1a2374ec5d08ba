package dev.mayfly.local.machines;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The shared parts of all machines of this cloud.
 *
 * @param project the only project
 * @param hypervisor boots machines
 * @param random the source of ids
 */
public record CloudContext(
    String project,
    Hypervisor hypervisor,
    FaultControls faultControls,
    InstantSource clock,
    RandomGenerator random) {}
