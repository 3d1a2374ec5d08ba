package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds tasks that share an output, and outputs that are invalid or outside the cluster's places.
 */
final class OutputUrls {
  /** What lies beside an output: of a folder its index, and the sentinel. */
  private static final List<String> BESIDE = List.of(Sentinel.SUFFIX, OutputCheck.INDEX);

  private static final List<String> SENTINEL = List.of(Sentinel.SUFFIX);

  private final JobSpec spec;
  private final ClusterSpec cluster;
  private final String job;
  private final Map<String, Long> seen = new HashMap<>();

  /**
   * What a submission checks. Throws {@link InvalidInputException} for a checkpoint or an output
   * that breaks a rule.
   *
   * @param first the first tasks of a list; {@link JobExpansion} compares the others later. Counted
   *     tasks need none
   */
  static OutputUrls checked(JobSpec spec, ClusterSpec cluster, String job, List<TaskItem> first) {
    checkCheckpoint(spec, cluster);
    var outputUrls = new OutputUrls(spec, cluster, job);
    outputUrls.add(spec.tasks() instanceof TaskSource.Count c ? some(c.count()) : first);
    return outputUrls;
  }

  /** The last index is the longest. */
  private static List<TaskItem> some(long count) {
    return LongStream.of(0, 1, count - 1)
        .filter(i -> i >= 0 && i < count)
        .distinct()
        .mapToObj(TaskItem::counted)
        .toList();
  }

  OutputUrls(JobSpec spec, ClusterSpec cluster, String job) {
    this.spec = spec;
    this.cluster = cluster;
    this.job = job;
  }

  /** Throws {@link InvalidInputException} for the first output that breaks a rule. */
  void add(List<TaskItem> items) {
    for (var item : items) {
      var output = of(spec, cluster.bucket(), job, item);
      check(output, cluster, item);
      var before = seen.putIfAbsent(output, item.index());
      if (before != null)
        throw new InvalidInputException(
            "output",
            "tasks %d and %d both have the output %s; put {index} into the output, or more of the input's name"
                .formatted(before, item.index(), output));
      checkNeighbours(output, item.index());
    }
  }

  /** A task that leaves a folder has its index, and each task its sentinel, beside the output. */
  private void checkNeighbours(String output, long task) {
    for (var suffix : spec.data().outputs() == OutputMode.UPLOADED ? BESIDE : SENTINEL) {
      refuse(output + suffix, seen.get(output + suffix), task, output);
      if (!output.endsWith(suffix)) continue;
      var other = output.substring(0, output.length() - suffix.length());
      refuse(output, task, seen.get(other), other);
    }
  }

  private static void refuse(
      String url, @Nullable Long ofUrl, @Nullable Long neighbour, String output) {
    if (ofUrl == null || neighbour == null) return;
    throw new InvalidInputException(
        "output",
        "tasks %d and %d may both need %s, for the latter has the output %s; give each a name of its own before that part, such as {index}"
            .formatted(ofUrl, neighbour, url, output));
  }

  /** A job may write only where its cluster does, and not over Mayfly's own objects. */
  private static void check(String output, ClusterSpec cluster, TaskItem item) {
    if (output.startsWith(BucketLayout.of(cluster.bucket()).ownPrefix()))
      throw new InvalidInputException(
          "output",
          "task %d: %s is where Mayfly keeps its own objects".formatted(item.index(), output));
    if (below(output, cluster.bucket())) return;
    if (cluster.outputPrefixes().stream().anyMatch(place -> below(output, place))) return;
    throw new InvalidInputException(
        "output",
        "task %d: %s is neither in the cluster's bucket, %s, nor in a place that its document lists under outputPrefixes"
            .formatted(item.index(), output, cluster.bucket()));
  }

  /** Throws {@link InvalidInputException} for an output outside the cluster's places. */
  static void checkPlaces(JobSpec spec, ClusterSpec cluster, String job, List<TaskItem> items) {
    for (var item : items) check(of(spec, cluster.bucket(), job, item), cluster, item);
  }

  /**
   * A checkpoint's place is where the job may write, which its fixed beginning must show. Throws
   * {@link InvalidInputException} otherwise.
   */
  static void checkCheckpoint(JobSpec spec, ClusterSpec cluster) {
    var template = spec.run().taskEnvironment().checkpoint().orElse("");
    if (template.isEmpty()) return;
    var word = template.indexOf('{');
    var fixed = word < 0 ? template : template.substring(0, word);
    var own = BucketLayout.of(cluster.bucket()).ownPrefix();
    if (fixed.startsWith(own))
      throw new InvalidInputException(
          "checkpoint", template + " is where Mayfly keeps its own objects");
    if (below(fixed, cluster.bucket())) return;
    if (cluster.outputPrefixes().stream().anyMatch(place -> below(fixed, place))) return;
    throw new InvalidInputException(
        "checkpoint",
        "%s is neither in the cluster's bucket, %s, nor in a place that its document lists under outputPrefixes"
            .formatted(template, cluster.bucket()));
  }

  private static boolean below(String output, String place) {
    return output.startsWith(place.endsWith("/") ? place : place + "/");
  }

  /** The URLs of all added outputs. */
  Set<String> urls() {
    return seen.keySet();
  }

  /**
   * The URL of a task's output. Throws {@link InvalidInputException} if the template does not give
   * a URL or the URL leaves no room for the sentinel's name.
   */
  static String of(JobSpec spec, String bucket, String job, TaskItem item) {
    var output = TaskTemplate.outputUrl(spec, bucket, job, item);
    try {
      check(ObjectUrl.of(output));
      return output;
    } catch (IllegalArgumentException noPlace) {
      throw new InvalidInputException(
          "output", "task %d: %s".formatted(item.index(), noPlace.getMessage()));
    }
  }

  private static void check(ObjectUrl output) {
    if (output.name().isEmpty())
      throw new IllegalArgumentException(
          output + " is a whole bucket; write the object's name behind it");
    var plain = output.root().equals("file://");
    var name = plain ? TaskTemplate.fileName(output.name()) : output.name();
    var most = plain ? ObjectNames.LONGEST_FILE : ObjectNames.LONGEST;
    var bytes = ObjectNames.bytes(name + Sentinel.SUFFIX);
    if (bytes > most)
      throw new IllegalArgumentException(
          "the name %s… of its sentinel would have %,d bytes, and %s has at most %,d; shorten the output's name"
              .formatted(
                  ObjectNames.truncate(name, 60),
                  bytes,
                  plain ? "a file's name" : "an object's name",
                  most));
  }
}
