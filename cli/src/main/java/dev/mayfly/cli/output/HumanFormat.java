package dev.mayfly.cli.output;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.query.AcceleratorUse;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Formats amounts for people: numbers, sizes, {@link #duration} for spans and {@link #moment} for
 * points in time. What programs read has ISO 8601 in UTC instead.
 */
public final class HumanFormat {
  private static final double GIB = 1L << 30;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DATE_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private HumanFormat() {}

  public static String count(long n) {
    return "%,d".formatted(n).replace('.', ',');
  }

  /** {@code 1 task}, {@code 2 tasks}. */
  public static String count(long n, String noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
  }

  /** How long ago: see {@link #duration}. */
  public static String age(Instant since, Instant now) {
    return duration(Duration.between(since, now));
  }

  /** A span of time: {@code 98s}, {@code 3m12s}, {@code 5h20m}. */
  public static String duration(Duration span) {
    return HumanDuration.format(span);
  }

  /** How long something took or takes: {@code 9h45m}, {@code 3d4h}. */
  public static String result(Duration span) {
    return HumanDuration.result(span);
  }

  /**
   * A point in time wherever people read one: {@code 14:03:05} of today, {@code 2026-05-01
   * 14:03:05} of another day, in the zone of {@code now}.
   */
  static String moment(Instant at, ZonedDateTime now) {
    var local = at.atZone(now.getZone());
    return local.format(local.toLocalDate().equals(now.toLocalDate()) ? TIME : DATE_AND_TIME);
  }

  /** The same with its date in any case, for what is kept. */
  static String stamp(Instant at, ZoneId zone) {
    return at.atZone(zone).format(DATE_AND_TIME);
  }

  public static String bytes(long bytes) {
    if (bytes < 10_000) return count(bytes) + " bytes";
    if (bytes < 10_000_000) return count(bytes / 1000) + " KB";
    return count(bytes / 1_000_000) + " MB";
  }

  /** {@code $1,234.50}; of less than ten cents four decimals, {@code $0.0123}. */
  public static String usd(double amount) {
    return HumanAmounts.usd(amount);
  }

  /**
   * {@code cpu 3/8, memory 2/32 GiB, nvidia-l4 2/4}: used of total.
   *
   * @param accelerators GPUs and TPUs by kind; empty from a control plane of before that tells only
   *     how many there are
   */
  public static String usage(Resources used, Resources total, List<AcceleratorUse> accelerators) {
    var parts = new ArrayList<String>();
    parts.add("cpu " + milli(used.cpuMillis()) + "/" + milli(total.cpuMillis()));
    parts.add("memory " + gib(used.memoryBytes()) + "/" + gib(total.memoryBytes()) + " GiB");
    for (var it : accelerators)
      parts.add("%s %s/%s".formatted(it.kind(), decimal(it.used()), decimal(it.total())));
    if (!accelerators.isEmpty()) return String.join(", ", parts);
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
