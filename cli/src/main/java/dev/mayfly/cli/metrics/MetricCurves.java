package dev.mayfly.cli.metrics;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;

/** Reads what the metrics of a job's attempts were over time, from the objects of agents. */
public final class MetricCurves {
  /** The newest attempts of one task that are read. */
  public static final int MOST_ATTEMPTS = 12;

  /** More than any agent stores; a machine that writes something else is not read. */
  private static final int MOST_BYTES = 4 << 20;

  private static final int READERS = 16;
  private static final Pattern NAME =
      Pattern.compile(".*/logs/metrics/(\\d{8})/([^/]+)/(\\d{5,9})\\.metrics\\.jsonl");

  private final ObjectStore objectStore;
  private final BucketLayout layout;
  private final String uid;

  /**
   * @param bucket bucket of the job's cluster
   */
  public MetricCurves(ObjectStore objectStore, String bucket, String uid) {
    this.objectStore = objectStore;
    this.layout = BucketLayout.of(bucket);
    this.uid = uid;
  }

  /** The newest object of an attempt: each has the whole history. */
  private record Newest(long index, String attempt, int number, ObjectInfo object) {
    static final Comparator<Newest> BY_AGE =
        Comparator.comparing((Newest it) -> it.object.updated()).thenComparing(Newest::attempt);

    static Optional<Newest> of(ObjectInfo object) {
      var name = NAME.matcher(object.url().name());
      if (!name.matches()) return Optional.empty();
      return Optional.of(
          new Newest(
              Long.parseLong(name.group(1)),
              name.group(2),
              Integer.parseInt(name.group(3)),
              object));
    }

    Newest newer(Newest other) {
      return other.number > number ? other : this;
    }
  }

  /** Those of one task's attempts, the oldest first. */
  public List<MetricCurve> ofTask(long index) {
    var attempts = attempts(index);
    return read(attempts.subList(Math.max(0, attempts.size() - MOST_ATTEMPTS), attempts.size()));
  }

  /** That of each task's newest attempt; none for a task without. */
  public List<MetricCurve> ofTasks(Collection<Long> indexes) {
    return indexes.stream()
        .gather(Gatherers.mapConcurrent(READERS, index -> last(attempts(index)).map(this::curve)))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Those of the first so many tasks that have one, by task, the oldest attempt first.
   *
   * @param earlier the most that are no task's newest, of the tasks in their order
   */
  public List<MetricCurve> ofFirst(int tasks, int earlier) {
    var found = new TreeMap<Long, Map<String, Newest>>();
    ObjectUrl folder = layout.metrics(uid);
    // One more, so that all objects of the last one have been seen.
    for (var after = Optional.of(""); after.isPresent() && found.size() <= tasks; ) {
      var page = objectStore.list(folder, after.get(), ObjectPage.MAX_OBJECTS);
      page.objects().forEach(object -> Newest.of(object).ifPresent(it -> add(found, it)));
      after = page.next();
    }
    var all = new ArrayList<Newest>();
    var left = earlier;
    for (var ofTask : found.values().stream().limit(tasks).toList()) {
      var attempts = ofTask.values().stream().sorted(Newest.BY_AGE).toList();
      var more = Math.min(left, attempts.size() - 1);
      left -= more;
      all.addAll(attempts.subList(attempts.size() - 1 - more, attempts.size()));
    }
    return read(all);
  }

  private static void add(Map<Long, Map<String, Newest>> found, Newest one) {
    found.computeIfAbsent(one.index, _ -> new HashMap<>()).merge(one.attempt, one, Newest::newer);
  }

  private List<Newest> attempts(long index) {
    var found = new HashMap<String, Newest>();
    objectStore.forEachPage(
        layout.metrics(uid, index),
        page ->
            page.objects()
                .forEach(object ->
                    Newest.of(object)
                        .ifPresent(one -> found.merge(one.attempt, one, Newest::newer))));
    var attempts = new ArrayList<>(found.values());
    attempts.sort(Newest.BY_AGE);
    return attempts;
  }

  private static Optional<Newest> last(List<Newest> attempts) {
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
  }

  private List<MetricCurve> read(List<Newest> attempts) {
    return attempts.stream().gather(Gatherers.mapConcurrent(READERS, this::curve)).toList();
  }

  private MetricCurve curve(Newest of) {
    var lines = objectStoreLines(of);
    return new MetricCurve(of.index, of.attempt, of.object.updated(), Wire.shared().metrics(lines));
  }

  private byte[] objectStoreLines(Newest of) {
    try {
      return objectStore.read(of.object.url(), MOST_BYTES).orElse(new byte[0]);
    } catch (InvalidInputException tooLarge) {
      return new byte[0];
    }
  }
}
