package dev.mayfly.agent.container;

import dev.mayfly.core.model.ExactImage;
import java.util.Optional;

/** What came of a pull. */
public sealed interface Pulled {
  /**
   * The image is on this machine.
   *
   * @param exact what its tag named; empty for one that was asked for by its digest, or that came
   *     from no registry
   */
  record Here(Optional<ExactImage> exact) implements Pulled {}

  /** The registry has no such image: another try finds none either. */
  record Absent(String why) implements Pulled {}

  /** It is not here, and may be another time. */
  record Failed(String why) implements Pulled {}

  /** Why it is not here. */
  default Optional<String> cause() {
    return switch (this) {
      case Here here -> Optional.empty();
      case Absent absent -> Optional.of(absent.why());
      case Failed failed -> Optional.of(failed.why());
    };
  }
}
