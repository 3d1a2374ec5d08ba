package dev.mayfly.local.machines;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What all machines of this cloud share.
 *
 * @param project the one project
 * @param hypervisor boots machines
 * @param random makes ids
 */
public record CloudContext(
    String project,
    Hypervisor hypervisor,
    FaultControls faultControls,
    InstantSource clock,
    RandomGenerator random) {}
