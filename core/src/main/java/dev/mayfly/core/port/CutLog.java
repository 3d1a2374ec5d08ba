package dev.mayfly.core.port;

import dev.mayfly.core.text.HumanAmounts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An attempt's log of which only the first and the last half of its limit are kept. The pieces that
 * say so in the log have it as metadata, so that a listing of the log's pieces shows it.
 *
 * @param attempt as its log is named; on another host than the first with its rank
 * @param limit in bytes
 * @param leftOut in bytes; empty as long as the attempt has not ended
 */
public record CutLog(long task, String attempt, long limit, Optional<Long> leftOut) {
  private static final String LIMIT = "mayfly-log-limit";
  private static final String LEFT_OUT = "mayfly-left-out";
  private static final Pattern PIECE = Pattern.compile(".*/logs/(\\d{8})/([^/]+)/\\d+\\.log");

  /** The metadata of a piece that says that what follows is cut. */
  public static Map<String, String> cut(long limit) {
    return Map.of(LIMIT, Long.toString(limit));
  }

  /** The metadata of a piece that stands for so many bytes. */
  public static Map<String, String> cut(long limit, long leftOut) {
    return Map.of(LIMIT, Long.toString(limit), LEFT_OUT, Long.toString(leftOut));
  }

  /** Empty for a piece that says nothing of it. */
  public static Optional<CutLog> of(ObjectInfo piece) {
    var name = PIECE.matcher(piece.url().name());
    var limit = number(piece, LIMIT);
    if (limit.isEmpty() || !name.matches()) return Optional.empty();
    return Optional.of(
        new CutLog(
            Long.parseLong(name.group(1)), name.group(2), limit.get(), number(piece, LEFT_OUT)));
  }

  /** One for each log, by their names; of two the one that knows how much is left out. */
  public static List<CutLog> ofLogs(Collection<CutLog> all) {
    var logs = new TreeMap<String, CutLog>();
    for (var one : all)
      logs.merge(
          "%015d/%s".formatted(one.task, one.attempt),
          one,
          (known, later) -> later.leftOut.isPresent() ? later : known);
    return List.copyOf(logs.values());
  }

  /** What is missing, and what keeps more. */
  public String text() {
    var what =
        leftOut
            .map(bytes -> HumanAmounts.count(bytes, "byte") + " left out of the middle of its log")
            .orElseGet(() ->
                "its log is longer than its limit: after the first %s only the last %s are kept,"
                        .formatted(HumanAmounts.memory(limit / 2), HumanAmounts.memory(limit / 2))
                    + " and stored when it has ended");
    return "attempt %s of task %d: %s; logLimit in the job keeps more (now %s)"
        .formatted(attempt, task, what, HumanAmounts.memory(limit));
  }

  /** Whoever may write a log may write anything there. */
  private static Optional<Long> number(ObjectInfo piece, String key) {
    return Optional.ofNullable(piece.metadata().get(key))
        .filter(text -> text.matches("[0-9]{1,18}"))
        .map(Long::parseLong);
  }
}
