package dev.mayfly.sim.tour;

import java.util.List;
import java.util.stream.Stream;

/**
 * A situation of the job {@code train}.
 *
 * @param part of the tour
 * @param name of its file
 * @param title as a person would say it
 * @param evidence words of the explanation that say what was seen
 * @param remedy words of it that say what a person does, or that nothing must be done
 */
record Scene(
    String part, String name, String title, String evidence, String remedy, TourWorld world) {
  static final String JOB = "train";

  /** All of them, those that wait first. */
  static List<Scene> all() {
    return Stream.of(CloudScenes.all(), QueueScenes.all(), FailureScenes.all())
        .flatMap(List::stream)
        .toList();
  }
}
