package dev.mayfly.core.text;

import dev.mayfly.core.model.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Formats amounts of resources as people write them: {@code 2 CPU, 8 GiB}. Zero amounts are
 * omitted.
 */
public final class HumanAmounts {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** The kinds of resources, in the order in which they are shown. */
  public enum Kind {
    CPU(Resources::cpuMillis),
    MEMORY(Resources::memoryBytes),
    GPU(Resources::gpuMillis),
    TPU(Resources::tpuChips),
    GPU_MEMORY(Resources::gpuMemoryBytes);

    private final ToLongFunction<Resources> of;

    Kind(ToLongFunction<Resources> of) {
      this.of = of;
    }

    public long of(Resources some) {
      return of.applyAsLong(some);
    }

    public String say(Resources some) {
      var amount = of(some);
      return switch (this) {
        case CPU -> thousandths(amount) + " CPU";
        case MEMORY -> memory(amount);
        case GPU -> thousandths(amount) + " GPU";
        case TPU -> amount + (amount == 1 ? " TPU chip" : " TPU chips");
        case GPU_MEMORY ->
            amount == 0 ? "no known GPU memory" : memory(amount) + " of memory a GPU";
      };
    }
  }

  /** Less than this has four decimals, and less than half of their last is not nothing. */
  private static final double SMALL = 0.1;

  private static final double LEAST = 0.00005;

  private HumanAmounts() {}

  /** Every nonzero amount, separated by commas; {@code nothing} if there is none. */
  public static String format(Resources some) {
    var parts = parts(some);
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  /** Like {@link #format}, as a phrase: {@code 2 CPU, 8 GiB and 1 GPU}. */
  public static String phrase(Resources some) {
    return phrase(parts(some));
  }

  public static String phrase(List<String> parts) {
    if (parts.isEmpty()) return "nothing";
    var last = parts.size() - 1;
    return last == 0
        ? parts.getFirst()
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /** The amounts of those kinds that {@code of} has, rounded: {@code 1.5 CPU, 3.9 GiB}. */
  public static String rounded(Resources some, Resources of) {
    var parts = new ArrayList<String>();
    if (of.cpuMillis() > 0) parts.add(number(some.cpuMillis() / 1000.0) + " CPU");
    if (of.memoryBytes() > 0) parts.add(gib(some.memoryBytes()));
    if (of.gpuMillis() > 0) parts.add(number(some.gpuMillis() / 1000.0) + " GPU");
    if (of.tpuChips() > 0) parts.add(some.tpuChips() + " TPU chips");
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  /**
   * {@code $1,234.50}; of less than ten cents four decimals, {@code $0.0123}, so that small amounts
   * add up; {@code <$0.0001} for less that is not nothing.
   */
  public static String usd(double amount) {
    if (amount > 0 && amount < LEAST) return "<$0.0001";
    var text = String.format(Locale.ROOT, amount < SMALL ? "$%,.4f" : "$%,.2f", amount);
    return amount < SMALL ? text.replaceAll("(\\.\\d\\d\\d*?)0+$", "$1") : text;
  }

  /**
   * A price or a limit: with cents, and of less than a cent with millionths, so that it is not 0.
   */
  public static String exactUsd(double amount) {
    if (amount == 0 || amount >= 0.01) return String.format(Locale.ROOT, "$%,.2f", amount);
    return "$" + String.format(Locale.ROOT, "%.6f", amount).replaceAll("\\.?0+$", "");
  }

  /** With two decimals at most, of less than a tenth with four. */
  public static String hours(double hours) {
    if (hours > 0 && hours < LEAST) return "<0.0001";
    return BigDecimal.valueOf(hours)
        .setScale(hours < SMALL ? 4 : 2, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }

  /** For example {@code 3.9 GiB}; {@code 9.8 MiB} of what would be none. */
  public static String gib(long bytes) {
    if (bytes > 0 && bytes < SMALL * (1L << 30))
      return number(Math.round(bytes / 104857.6) / 10.0) + " MiB";
    return number(Math.round(bytes / 107374182.4) / 10.0) + " GiB";
  }

  /** Whole numbers without decimals. */
  public static String number(double n) {
    return n == Math.rint(n) ? Long.toString((long) n) : Double.toString(n);
  }

  /** For example {@code 1 task} or {@code 2,000 tasks}. */
  public static String count(long n, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", n, noun, n == 1 ? "" : "s");
  }

  /** {@code 1 is}, {@code 2,000 are}. */
  public static String are(long n) {
    return String.format(Locale.ROOT, "%,d %s", n, n == 1 ? "is" : "are");
  }

  /** {@code 1 of 3 workers is}, {@code 2 of 3 workers are}. */
  public static String partAre(long n, long of, String noun) {
    return String.format(Locale.ROOT, "%,d of %s %s", n, count(of, noun), n == 1 ? "is" : "are");
  }

  private static List<String> parts(Resources some) {
    var parts = new ArrayList<String>();
    for (var kind : Kind.values()) if (kind.of(some) != 0) parts.add(kind.say(some));
    return parts;
  }

  /** {@code 512 MiB}, {@code 1.5 GiB}. */
  public static String memory(long bytes) {
    return bytes >= GIB || bytes == 0 ? decimal(bytes, GIB) + " GiB" : decimal(bytes, MIB) + " MiB";
  }

  private static String thousandths(long amount) {
    return decimal(amount, 1000);
  }

  private static String decimal(long amount, long unit) {
    return BigDecimal.valueOf(amount)
        .divide(BigDecimal.valueOf(unit), 3, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
