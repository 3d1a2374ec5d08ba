package dev.mayfly.agent.container;

import dev.mayfly.core.model.job.PinnedImage;
import java.util.Optional;

/** The result of a pull. */
public sealed interface PullResult {
  /**
   * The machine has the image.
   *
   * @param exact the image that the tag named; empty if the request named a digest, or if the image
   *     came from no registry
   */
  record Present(Optional<PinnedImage> exact) implements PullResult {}

  /** The registry has no such image, so a retry is useless. */
  record Absent(String why) implements PullResult {}

  /** The pull failed; a retry may succeed. */
  record Failed(String why) implements PullResult {}

  /** Why the machine does not have the image. */
  default Optional<String> cause() {
    return switch (this) {
      case Present present -> Optional.empty();
      case Absent absent -> Optional.of(absent.why());
      case Failed failed -> Optional.of(failed.why());
    };
  }
}
