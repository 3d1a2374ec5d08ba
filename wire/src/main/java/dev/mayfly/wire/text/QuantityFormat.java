package dev.mayfly.wire.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * CPU, GPU and memory amounts: {@code 4}, {@code 0.25}, {@code 500m}; {@code 8Gi}, {@code 512Mi},
 * {@code 2G}.
 */
public final class QuantityFormat {
  private static final Pattern NUMBER =
      Pattern.compile("(-?\\d{1,15}(?:\\.\\d{1,9})?)([A-Za-z]{0,2})");
  private static final long KI = 1024;
  private static final long MI = KI * KI;
  private static final long GI = MI * KI;
  private static final long TI = GI * KI;
  private static final Map<String, Long> BYTES =
      Map.of(
          "",
          1L,
          "Ki",
          KI,
          "Mi",
          MI,
          "Gi",
          GI,
          "Ti",
          TI,
          "k",
          1_000L,
          "M",
          1_000_000L,
          "G",
          1_000_000_000L,
          "T",
          1_000_000_000_000L);

  private QuantityFormat() {}

  /** Thousandths of a CPU or a GPU. */
  public static long millis(String text) {
    var match = NUMBER.matcher(text);
    if (match.matches() && (match.group(2).isEmpty() || match.group(2).equals("m"))) {
      var unit = match.group(2).isEmpty() ? 1000 : 1;
      var millis =
          new BigDecimal(match.group(1)).multiply(BigDecimal.valueOf(unit)).stripTrailingZeros();
      if (millis.scale() <= 0) return millis.longValueExact();
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not an amount in thousandths; write it as 4, 0.25 or 500m");
  }

  public static BigDecimal fromMillis(long millis) {
    var value = BigDecimal.valueOf(millis, 3).stripTrailingZeros();
    return value.scale() < 0 ? value.setScale(0) : value;
  }

  /** Bytes of memory; fractions of a byte are dropped. */
  public static long bytes(String text) {
    var match = NUMBER.matcher(text);
    if (match.matches() && BYTES.containsKey(match.group(2))) {
      var unit = BigDecimal.valueOf(BYTES.get(match.group(2)));
      var bytes = new BigDecimal(match.group(1)).multiply(unit).setScale(0, RoundingMode.DOWN);
      if (bytes.toBigInteger().bitLength() < 63) return bytes.longValueExact();
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not an amount of memory; write it as 8Gi or 512Mi");
  }

  /** Exactly {@code bytes}, in the largest unit that needs no fraction. */
  public static String fromBytes(long bytes) {
    if (bytes == 0) return "0";
    if (bytes % TI == 0) return bytes / TI + "Ti";
    if (bytes % GI == 0) return bytes / GI + "Gi";
    if (bytes % MI == 0) return bytes / MI + "Mi";
    if (bytes % KI == 0) return bytes / KI + "Ki";
    return Long.toString(bytes);
  }
}
