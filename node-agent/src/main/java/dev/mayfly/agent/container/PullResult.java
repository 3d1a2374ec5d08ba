package dev.mayfly.agent.container;

import dev.mayfly.core.model.job.PinnedImage;
import java.util.Optional;

/** What came of a pull. */
public sealed interface PullResult {
  /**
   * The image is on this machine.
   *
   * @param exact what its tag named; empty for one that was asked for by its digest, or that came
   *     from no registry
   */
  record Present(Optional<PinnedImage> exact) implements PullResult {}

  /** The registry has no such image: another try finds none either. */
  record Absent(String why) implements PullResult {}

  /** It is not here, and may be another time. */
  record Failed(String why) implements PullResult {}

  /** Why it is not here. */
  default Optional<String> cause() {
    return switch (this) {
      case Present present -> Optional.empty();
      case Absent absent -> Optional.of(absent.why());
      case Failed failed -> Optional.of(failed.why());
    };
  }
}
