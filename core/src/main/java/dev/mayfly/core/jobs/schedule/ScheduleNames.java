package dev.mayfly.core.jobs.schedule;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;

/** Finds a cluster's schedules by what users call them. */
final class ScheduleNames {
  private ScheduleNames() {}

  /**
   * The full name: {@code OWNER/NAME}, or {@code NAME} without an owner. A name alone means that of
   * the only owner who has one. Throws {@link InvalidInputException} otherwise.
   */
  static String address(Cluster cluster, String name) {
    var known = cluster.schedules().keySet();
    if (known.contains(name)) return name;
    var found = known.stream().filter(it -> it.endsWith("/" + name)).sorted().toList();
    if (found.size() == 1) return found.getFirst();
    if (found.isEmpty())
      throw new UnknownNameException(
          "schedule",
          "cluster %s has no schedule %s; %s"
              .formatted(
                  cluster.spec().name(),
                  name,
                  known.isEmpty()
                      ? "it has none"
                      : "it has " + String.join(", ", known.stream().sorted().toList())));
    throw new InvalidInputException(
        "schedule",
        "several owners have a schedule %s; write one of %s"
            .formatted(name, String.join(", ", found)));
  }
}
