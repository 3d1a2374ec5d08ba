package dev.mayfly.cli.flow;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Url;
import java.nio.charset.StandardCharsets;
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

/**
 * The log of a job, or of one of its tasks, from the objects that agents write: it is there while
 * the worker lives and after it.
 */
public final class JobLogs {
  private static final int PIECE_CAP = 64 << 20;
  private static final Pattern NAME = Pattern.compile(".*/logs/(\\d{8})/([^/]+)/(\\d+)\\.log");

  private final Objects objects;
  private final Url prefix;
  private final Set<String> read = new HashSet<>();
  private final Map<String, String> halves = new HashMap<>();

  /**
   * @param bucket of the job's cluster
   * @param task only this one
   */
  public JobLogs(Objects objects, String bucket, String uid, OptionalLong task) {
    this.objects = objects;
    var logs = Places.of(bucket).logs(uid);
    prefix = task.isPresent() ? logs.plus("%08d/".formatted(task.getAsLong())) : logs;
  }

  /** One line of a task, without its end. */
  public record Line(long task, String attempt, String text) {}

  private record Piece(long task, String attempt, ObjectInfo object) {
    static Optional<Piece> of(ObjectInfo object) {
      var name = NAME.matcher(object.url().name());
      if (!name.matches()) return Optional.empty();
      return Optional.of(new Piece(Long.parseLong(name.group(1)), name.group(2), object));
    }

    String log() {
      return task + "/" + attempt;
    }
  }

  /** How many tasks have a log by now. */
  public long tasks() {
    return list().stream().map(Piece::task).distinct().count();
  }

  /** Reads what is new since the last call; how many pieces that was. */
  public int news(Consumer<Line> use) {
    var fresh =
        list().stream().filter(p -> read.add(p.object().url().name())).sorted(order()).toList();
    for (var piece : fresh) use(piece, use);
    return fresh.size();
  }

  /** Hands out the last lines of logs that do not end with a line's end. */
  public void rest(Consumer<Line> use) {
    halves.forEach((log, text) -> {
      var slash = log.indexOf('/');
      use.accept(new Line(Long.parseLong(log.substring(0, slash)), log.substring(slash + 1), text));
    });
    halves.clear();
  }

  /** By task; an attempt's pieces stay together, earlier attempts first. */
  private static Comparator<Piece> order() {
    return Comparator.comparingLong(Piece::task)
        .thenComparing(Piece::attempt, JobLogs::attempts)
        .thenComparing(p -> p.object().url().name());
  }

  /** Attempts are numbered: a shorter name has a smaller number. */
  private static int attempts(String a, String b) {
    return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
  }

  private void use(Piece piece, Consumer<Line> use) {
    var bytes = objects.read(piece.object().url(), PIECE_CAP).orElse(new byte[0]);
    var text = halves.getOrDefault(piece.log(), "") + new String(bytes, StandardCharsets.UTF_8);
    halves.remove(piece.log());
    var from = 0;
    for (var end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      use.accept(new Line(piece.task(), piece.attempt(), text.substring(from, end)));
      from = end + 1;
    }
    if (from < text.length()) halves.put(piece.log(), text.substring(from));
  }

  private List<Piece> list() {
    var pieces = new ArrayList<Piece>();
    for (var after = Optional.of(""); after.isPresent(); ) {
      var page = objects.list(prefix, after.get(), ObjectPage.MOST);
      page.objects().forEach(o -> Piece.of(o).ifPresent(pieces::add));
      after = page.next();
    }
    return pieces;
  }
}
