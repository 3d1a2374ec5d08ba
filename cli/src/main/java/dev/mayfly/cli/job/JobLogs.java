package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;

/**
 * The log of a job, or of one of its tasks, from the objects that agents write. Available during
 * and after the life of the worker.
 */
final class JobLogs {
  private static final int MAX_PIECE_BYTES = 64 << 20;

  /** Pieces that are read at the same time. */
  private static final int READERS = 16;

  private static final Pattern NAME =
      Pattern.compile(".*/logs/(\\d{8})/([^/]+?)(?:-rank(\\d+))?/(\\d+)\\.log");

  private final ObjectStore objectStore;
  private final ObjectUrl prefix;
  private final Set<String> read = new HashSet<>();

  /** Bytes: a piece may end inside a character. */
  private final Map<Source, ByteArrayOutputStream> incompleteLines = new HashMap<>();

  private final Set<Long> ranked = new HashSet<>();
  private final Map<Long, Set<String>> attemptsOf = new HashMap<>();
  private final boolean gang;

  /**
   * @param bucket bucket of the job's cluster
   * @param task limits the log to this task
   * @param gang whether each task runs on several machines; for the hosts of a slice, the names of
   *     their logs show it
   */
  public JobLogs(
      ObjectStore objectStore, String bucket, String uid, OptionalLong task, boolean gang) {
    this.objectStore = objectStore;
    this.gang = gang;
    var logs = BucketLayout.of(bucket).logs(uid);
    prefix = task.isPresent() ? logs.append("%08d/".formatted(task.getAsLong())) : logs;
  }

  /**
   * One line of a task, without its line end.
   *
   * @param rank the host that wrote it, if the task runs on several
   * @param repeated whether the task has logs of several attempts, as far as they are listed
   */
  public record Line(
      long task, String attempt, Optional<Integer> rank, boolean repeated, String text) {
    /**
     * The source of the line: {@code [7] }, {@code [7/r1] }, {@code [7/setup] }, or {@code [7/s0e3]
     * } once the task has a second attempt; empty if the job has only one source.
     */
    public String label(boolean alone) {
      var isSetup = attempt.startsWith(BucketLayout.SETUP_LOG);
      var parts = new ArrayList<String>();
      if (!alone) parts.add(Long.toString(task));
      if (repeated) parts.add(ofTask(attempt));
      rank.ifPresent(r -> parts.add("r" + r));
      if (isSetup) parts.add("setup");
      return parts.isEmpty() ? "" : "[" + String.join("/", parts) + "] ";
    }
  }

  /** The source of one log: one attempt on one host. */
  private record Source(long task, String attempt, int rank) {}

  private record Piece(Source from, int number, ObjectInfo object) {
    static Optional<Piece> of(ObjectInfo object) {
      var name = NAME.matcher(object.url().name());
      if (!name.matches()) return Optional.empty();
      var rank = name.group(3) == null ? 0 : Integer.parseInt(name.group(3));
      return Optional.of(
          new Piece(
              new Source(Long.parseLong(name.group(1)), name.group(2), rank),
              Integer.parseInt(name.group(4)),
              object));
    }
  }

  /** Reads the pieces that are new since the last call and returns their number. */
  public int readNew(Consumer<Line> use) {
    var all = list();
    all.stream().map(Piece::from).filter(s -> s.rank() > 0).forEach(s -> ranked.add(s.task()));
    for (var piece : all)
      attemptsOf
          .computeIfAbsent(piece.from().task(), _ -> new HashSet<>())
          .add(ofTask(piece.from().attempt()));
    var fresh =
        all.stream().filter(p -> read.add(p.object().url().name())).sorted(order()).toList();
    // A log that grew for a day has thousands of small pieces.
    fresh.stream()
        .gather(Gatherers.mapConcurrent(READERS, piece -> Map.entry(piece, bytes(piece))))
        .forEachOrdered(it -> use(it.getKey(), it.getValue(), use));
    return fresh.size();
  }

  /** Emits last lines that have no line end. */
  public void flush(Consumer<Line> use) {
    incompleteLines.forEach((log, bytes) -> use.accept(line(log, bytes.toString(UTF_8))));
    incompleteLines.clear();
  }

  private Line line(Source from, String text) {
    var many = gang || ranked.contains(from.task());
    var rank = many ? Optional.of(from.rank()) : Optional.<Integer>empty();
    var repeated = attemptsOf.getOrDefault(from.task(), Set.of()).size() > 1;
    return new Line(from.task(), from.attempt(), rank, repeated, text);
  }

  /** Orders by task, attempt and rank, earlier attempts first. */
  private static Comparator<Piece> order() {
    return Comparator.<Piece>comparingLong(p -> p.from().task())
        .thenComparing(p -> p.from().attempt(), JobLogs::attempts)
        .thenComparingInt(p -> p.from().rank())
        .thenComparingInt(Piece::number);
  }

  /** Compares attempt numbers: a shorter name is a smaller number; a setup is before its task. */
  private static int attempts(String a, String b) {
    var first = ofTask(a);
    var second = ofTask(b);
    var longer = Integer.compare(first.length(), second.length());
    if (longer != 0) return longer;
    return first.equals(second) ? Integer.compare(b.length(), a.length()) : first.compareTo(second);
  }

  private static String ofTask(String attempt) {
    return attempt.startsWith(BucketLayout.SETUP_LOG)
        ? attempt.substring(BucketLayout.SETUP_LOG.length())
        : attempt;
  }

  private byte[] bytes(Piece piece) {
    return objectStore.read(piece.object().url(), MAX_PIECE_BYTES).orElse(new byte[0]);
  }

  private void use(Piece piece, byte[] bytes, Consumer<Line> use) {
    var begun = incompleteLines.remove(piece.from());
    var rest = begun == null ? new ByteArrayOutputStream() : begun;
    var from = 0;
    for (var end = 0; end < bytes.length; end++) {
      if (bytes[end] != '\n') continue;
      rest.write(bytes, from, end - from);
      use.accept(line(piece.from(), rest.toString(UTF_8)));
      rest.reset();
      from = end + 1;
    }
    rest.write(bytes, from, bytes.length - from);
    if (rest.size() > 0) incompleteLines.put(piece.from(), rest);
  }

  private List<Piece> list() {
    var pieces = new ArrayList<Piece>();
    objectStore.forEachPage(
        prefix, page -> page.objects().forEach(o -> Piece.of(o).ifPresent(pieces::add)));
    return pieces;
  }
}
