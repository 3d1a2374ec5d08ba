package dev.mayfly.cli.output;

import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats amounts for people. */
public final class HumanFormat {
  private static final double GIB = 1L << 30;

  /** The length of the date in ISO 8601, with the T. */
  private static final int DATE = 11;

  private HumanFormat() {}

  public static String count(long n) {
    return "%,d".formatted(n).replace('.', ',');
  }

  /** {@code 1 task}, {@code 2 tasks}. */
  public static String count(long n, String noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
  }

  /** {@code 8 s}, {@code 3 min 20 s}, {@code 2 h 5 min}, {@code 3 d 4 h}. */
  public static String span(Duration span) {
    var s = Math.max(0, span.toSeconds());
    if (s < 60) return s + " s";
    if (s < 3600) return s / 60 + " min" + (s % 60 == 0 ? "" : " " + s % 60 + " s");
    if (s < 86_400) return s / 3600 + " h" + (s / 60 % 60 == 0 ? "" : " " + s / 60 % 60 + " min");
    return s / 86_400 + " d" + (s / 3600 % 24 == 0 ? "" : " " + s / 3600 % 24 + " h");
  }

  /** How long ago, for tables: see {@link #brief}. */
  public static String age(Instant since, Instant now) {
    return brief(Duration.between(since, now));
  }

  /**
   * For tables, as kubectl writes it: {@code 98s}, {@code 3m12s}, {@code 45m}, {@code 5h20m},
   * {@code 3d4h}. A longer time never has a smaller number of the same unit, and two units only
   * while the second counts.
   */
  static String brief(Duration span) {
    var s = Math.max(0, span.toSeconds());
    var m = s / 60;
    var h = m / 60;
    if (s < 120) return s + "s";
    if (m < 10) return two(m, "m", s % 60, "s");
    if (h < 1) return m + "m";
    if (h < 8) return two(h, "h", m % 60, "m");
    if (h < 48) return h + "h";
    return h < 192 ? two(h / 24, "d", h % 24, "h") : h / 24 + "d";
  }

  private static String two(long n, String unit, long rest, String lesser) {
    return n + unit + (rest == 0 ? "" : rest + lesser);
  }

  /** The time in UTC: {@code 12:03:05Z}; of another day with its date. */
  public static String clock(Instant at, Instant now) {
    var seconds = at.truncatedTo(ChronoUnit.SECONDS).toString();
    var day = now.truncatedTo(ChronoUnit.DAYS).toString().substring(0, DATE);
    return seconds.startsWith(day) ? seconds.substring(DATE) : seconds;
  }

  public static String bytes(long bytes) {
    if (bytes < 10_000) return count(bytes) + " bytes";
    if (bytes < 10_000_000) return count(bytes / 1000) + " KB";
    return count(bytes / 1_000_000) + " MB";
  }

  /** {@code cpu 3/8, memory 2/32 GiB}: used of total. */
  public static String usage(Resources used, Resources total) {
    var parts = new ArrayList<String>();
    parts.add("cpu " + milli(used.cpuMillis()) + "/" + milli(total.cpuMillis()));
    parts.add("memory " + gib(used.memoryBytes()) + "/" + gib(total.memoryBytes()) + " GiB");
    if (used.gpuMillis() + total.gpuMillis() > 0)
      parts.add("gpu " + milli(used.gpuMillis()) + "/" + milli(total.gpuMillis()));
    if (used.tpuChips() + total.tpuChips() > 0)
      parts.add("tpu chips " + used.tpuChips() + "/" + total.tpuChips());
    return String.join(", ", parts);
  }

  /** {@code 3 preempted, 2 lost}; nothing for an empty map. */
  public static <K> String counts(Map<K, ? extends Number> counts) {
    return counts.entrySet().stream()
        .filter(e -> e.getValue().longValue() > 0)
        .sorted(Comparator.comparing(e -> e.getKey().toString()))
        .map(e -> count(e.getValue().longValue()) + " " + word(e.getKey().toString()))
        .collect(Collectors.joining(", "));
  }

  /**
   * A constant as words: {@code OUT_OF_MEMORY} is {@code out of memory}, {@code USER} is {@code
   * user error}.
   */
  public static String word(String constant) {
    if (constant.equals("USER")) return "user error";
    return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String milli(long thousandths) {
    return decimal(thousandths / 1000.0);
  }

  private static String gib(long bytes) {
    return decimal(bytes / GIB);
  }

  static String decimal(double value) {
    var text = String.format(Locale.ROOT, "%.2f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}
