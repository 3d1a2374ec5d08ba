package dev.mayfly.local.machines.compute;

import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The internal addresses of machines. Linux accepts all of 127.0.0.0/8 as local, so each machine on
 * the laptop has its own address and may listen on any port. TPU nodes have 127.1.0.0 to
 * 127.250.255.255, and static workers 127.255.0.0/16.
 */
final class InternalAddresses {
  private static final int FIRST_NETWORK = 251;
  private static final int NETWORKS = 4;
  private static final int HOSTS = 250;

  private InternalAddresses() {}

  /** The first free address. */
  static String free(Collection<ComputeMachine> computeMachines) {
    var taken = computeMachines.stream().map(ComputeMachine::address).collect(Collectors.toSet());
    return IntStream.range(0, NETWORKS * HOSTS * HOSTS)
        .mapToObj(InternalAddresses::at)
        .filter(address -> !taken.contains(address))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("all addresses of simulated machines are taken"));
  }

  private static String at(int number) {
    return "127.%d.%d.%d"
        .formatted(
            FIRST_NETWORK + number / (HOSTS * HOSTS), number / HOSTS % HOSTS, 1 + number % HOSTS);
  }
}
