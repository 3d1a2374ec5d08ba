package dev.mayfly.core.plan;

import dev.mayfly.core.model.Resources;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Ordinary shapes to suggest to somebody whose tasks do not fit: the general-purpose N2 machines.
 */
final class Shapes {
  private static final long GIB = 1L << 30;
  private static final long[] CPUS = {2, 4, 8, 16, 32, 48, 64, 80, 96, 128};

  private Shapes() {}

  /** The fewest CPUs that will do, with 4 GiB each rather than 8; none for accelerators. */
  static Optional<String> smallest(Resources need) {
    if (need.gpuMillis() > 0 || need.tpuChips() > 0) return Optional.empty();
    return LongStream.of(CPUS)
        .boxed()
        .flatMap(
            n -> Stream.of(new Shape("n2-standard-" + n, n, 4), new Shape("n2-highmem-" + n, n, 8)))
        .filter(s -> Resources.cpu(s.cpus, s.cpus * s.gibPerCpu * GIB).fits(need))
        .map(Shape::name)
        .findFirst();
  }

  private record Shape(String name, long cpus, long gibPerCpu) {}
}
