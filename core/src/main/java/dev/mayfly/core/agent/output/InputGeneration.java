package dev.mayfly.core.agent.output;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Optional;

/** The generation of a task's input, by which a changed input is told from the same one. */
public final class InputGeneration {
  private InputGeneration() {}

  /**
   * Empty for a task without an input, and for an input that this store does not have or show: a
   * task may read it with rights of its own.
   */
  public static Optional<Long> of(ObjectStore objectStore, TaskItem item) {
    try {
      return item.input()
          .flatMap(url -> objectStore.find(ObjectUrl.of(url)))
          .map(info -> GatheredInputs.generation(info.generation(), info.metadata()));
    } catch (DeniedException | InvalidInputException | IllegalArgumentException notShown) {
      return Optional.empty();
    }
  }

  /** The same for an attempt that may start without knowing it: the store may be unavailable. */
  public static Optional<Long> ifKnown(ObjectStore objectStore, TaskItem item) {
    try {
      return of(objectStore, item);
    } catch (UnavailableException unknown) {
      return Optional.empty();
    }
  }
}
