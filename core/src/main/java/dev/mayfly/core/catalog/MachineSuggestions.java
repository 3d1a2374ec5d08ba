package dev.mayfly.core.catalog;

import dev.mayfly.core.model.Resources;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Suggests a general-purpose N2 machine to a user whose tasks fit no pool. */
public final class MachineSuggestions {
  private static final int[] CPUS = {2, 4, 8, 16, 32, 48, 64, 80, 96, 128};

  private MachineSuggestions() {}

  /** The fewest CPUs that will do, with little memory rather than much; none for accelerators. */
  public static Optional<String> smallest(Resources need) {
    if (need.needsGpu() || need.tpuChips() > 0) return Optional.empty();
    return IntStream.of(CPUS)
        .boxed()
        .flatMap(n -> Stream.of("n2-standard-" + n, "n2-highmem-" + n))
        .filter(name -> MachineTypes.shape(name).filter(has -> has.fits(need)).isPresent())
        .findFirst();
  }
}
