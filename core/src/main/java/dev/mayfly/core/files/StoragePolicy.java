package dev.mayfly.core.files;

import java.util.Optional;

/**
 * What becomes of entries that are not plain files and folders, by what the folder is for.
 *
 * <p><b>Must:</b> leave out nothing that holds something where the whole folder is promised: an
 * output's sentinel says that all of it is there, and code that lacks a file fails on a machine. A
 * checkpoint is taken while its task works, so it ends no task and names what it lacks. A copy says
 * what it lacks to the person who waits for it.
 */
public enum StoragePolicy {
  OUTPUT("copy what it leads to into $MAYFLY_OUTPUT, or delete it", "name it otherwise"),
  CHECKPOINT("copy what it leads to into $MAYFLY_CHECKPOINT", "name it otherwise"),
  CODE(
      "replace the link by a copy, or name it in .mayflyignore",
      "rename it, or name it in .mayflyignore"),
  COPY("copy what it leads to by itself", "rename it");

  private final String forLinks;
  private final String forNames;

  StoragePolicy(String forLinks, String forNames) {
    this.forLinks = forLinks;
    this.forNames = forNames;
  }

  /** What becomes of an entry that meets an obstacle. */
  public sealed interface Verdict {
    /** The rest is stored without it, and the person reads of it. */
    record LeftOut() implements Verdict {}

    /** Nothing is stored. */
    record Refused() implements Verdict {}
  }

  public Verdict of(Obstacle obstacle) {
    return switch (obstacle) {
      case Obstacle.Special _, Obstacle.Unwanted _ -> new Verdict.LeftOut();
      case Obstacle.Link _, Obstacle.TooDeep _, Obstacle.Unreadable _ -> byPurpose(this == COPY);
      // A copy to other names may still hold it, so the person decides.
      case Obstacle.Name _ -> byPurpose(false);
    };
  }

  private Verdict byPurpose(boolean lenient) {
    return lenient || this == CHECKPOINT ? new Verdict.LeftOut() : new Verdict.Refused();
  }

  /** What the person can do; empty where there is nothing to do. */
  public Optional<String> remedy(Obstacle obstacle) {
    return switch (obstacle) {
      case Obstacle.Special _, Obstacle.Unwanted _ -> Optional.empty();
      case Obstacle.Loop _, Obstacle.Ring _, Obstacle.Nowhere _, Obstacle.TooMany _ ->
          Optional.of(this == CODE ? "delete it, or name it in .mayflyignore" : "delete it");
      case Obstacle.Link _ -> Optional.of(forLinks);
      case Obstacle.Name _ -> Optional.of(forNames);
      case Obstacle.TooDeep _ -> Optional.of("use fewer folders");
      case Obstacle.Unreadable _ ->
          Optional.of(
              this == CODE ? "let it be read, or name it in .mayflyignore" : "let it be read");
    };
  }

  /** The whole sentence about an entry: what it is, and what to do. */
  public String sentence(Obstacle obstacle) {
    return obstacle.words() + remedy(obstacle).map(remedy -> "; " + remedy).orElse("");
  }
}
