package dev.mayfly.local.cloud.compute;

import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.local.cloud.vm.VmHost;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What all machines of this cloud share.
 *
 * @param project the one project
 * @param host boots machines
 * @param random makes ids
 */
public record Site(
    String project, VmHost host, Dials dials, InstantSource clock, RandomGenerator random) {}
