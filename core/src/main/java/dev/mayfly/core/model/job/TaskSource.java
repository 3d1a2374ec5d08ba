package dev.mayfly.core.model.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The source of a job's tasks. */
public sealed interface TaskSource {
  /** What reads objects: one task for each of them, unless {@link Gather} says otherwise. */
  sealed interface Listed extends TaskSource {}

  /** One task for each matching object, in the order of names; {@code *.COMPLETE} never matches. */
  record Inputs(String glob) implements Listed {}

  /**
   * One task for each output of another job that has a sentinel, in the order of that job's tasks.
   *
   * @param job its name; the job comes after it
   */
  record InputsOf(String job) implements Listed {}

  /**
   * One task that reads all of them as one folder.
   *
   * @param of what would make a task each
   */
  record Gather(Listed of) implements TaskSource {}

  /**
   * One task for each item; a plain string {@code s} in a document is the item {@code {item: s}}.
   */
  record Items(List<Map<String, String>> items) implements TaskSource {
    public Items {
      items = items.stream().map(Map::copyOf).toList();
    }
  }

  /**
   * One task for each line of a task list that the submitter's client made from a file of items.
   *
   * @param file the list in the cluster's bucket; in a document that is not submitted yet, the
   *     submitter's own file
   * @param names those of the values that each task has; empty before the file is read
   */
  record ItemsFile(String file, List<String> names) implements TaskSource {
    public ItemsFile {
      names = List.copyOf(names);
    }
  }

  /**
   * Tasks that messages add while the job is open; each is stored with its shard.
   *
   * @param items the first tasks, as in {@link Items}; may be empty
   * @param variables names that each added task must have a value for
   * @param openFor after which no more are taken
   * @param idleAfter the same, since the last task ended
   */
  record Open(
      List<Map<String, String>> items, List<String> variables, Duration openFor, Duration idleAfter)
      implements TaskSource {
    public Open {
      items = items.stream().map(Map::copyOf).toList();
      variables = List.copyOf(variables);
    }
  }

  /** Tasks that differ only by their index. */
  record Count(long count) implements TaskSource {}

  /** What its tasks read, each one of them or one all; empty for tasks without inputs. */
  default Optional<Listed> listed() {
    return switch (this) {
      case Listed listed -> Optional.of(listed);
      case Gather gather -> Optional.of(gather.of());
      case Items _, ItemsFile _, Open _, Count _ -> Optional.empty();
    };
  }

  /** The job whose outputs its tasks read, if they do. */
  default Optional<String> predecessor() {
    return listed().filter(InputsOf.class::isInstance).map(of -> ((InputsOf) of).job());
  }
}
