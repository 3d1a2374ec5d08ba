package dev.mayfly.wire.text;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What to write for an amount or a time whose unit is missing or not known. */
public final class UnitHint {
  private static final Pattern WRITTEN =
      Pattern.compile("([0-9]{1,9}(?:[.][0-9]{1,3})?)\\s*(.{0,20})");
  private static final String SIZES = "units are Ki, Mi, Gi, Ti and k, M, G, T";
  private static final String TIMES = "units are d, h, m, s and ms";
  private static final Map<String, String> WORDS =
      Map.of(
          "day", "d", "hour", "h", "hr", "h", "minute", "m", "min", "m", "second", "s", "sec", "s");

  private UnitHint() {}

  /** For memory, as {@code units are Ki, …; write 4G or 4Gi}. */
  public static String ofMemory(String written) {
    var parts = WRITTEN.matcher(written.strip());
    if (!parts.matches()) return SIZES + "; write it like 8Gi or 512Mi";
    var unit = parts.group(2).isEmpty() ? Optional.of("G") : size(parts.group(2));
    return unit.map(u -> SIZES + "; write " + sizes(parts.group(1), u))
        .orElse(SIZES + "; write it like 8Gi or 512Mi");
  }

  /** The unit's letter; GB, gb, GiB and Gb all mean G or Gi to somebody. */
  private static Optional<String> size(String unit) {
    var letter = unit.substring(0, 1).toUpperCase(Locale.ROOT);
    return unit.matches("(?i)[kmgt](i?b?|bytes?)") ? Optional.of(letter) : Optional.empty();
  }

  private static String sizes(String number, String letter) {
    var decimal = letter.equals("K") ? "k" : letter;
    return "%s%s or %1$s%si".formatted(number, decimal, letter);
  }

  /** For a time, as {@code units are d, …; write 5m}. */
  public static String ofDuration(String written) {
    var parts = WRITTEN.matcher(written.strip());
    if (!parts.matches()) return TIMES + "; write it like 90s, 10m or 1h30m";
    var number = parts.group(1);
    var whole = number.matches("[0-9]+");
    if (whole && parts.group(2).isEmpty()) return "%s; write %ss or %2$sm".formatted(TIMES, number);
    var word = parts.group(2).toLowerCase(Locale.ROOT).replaceFirst("(?<=..)s$", "");
    var unit = List.of("d", "h", "m", "s", "ms").contains(word) ? word : WORDS.get(word);
    return unit == null || !whole
        ? TIMES + ", of whole numbers; write it like 90s, 10m or 1h30m"
        : TIMES + "; write " + number + unit;
  }
}
