package dev.mayfly.wire.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of constants and types as words: {@code ON_DEMAND} is {@code on-demand}, {@code GangRun} is
 * {@code gang-run}.
 */
public final class KebabCase {
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private KebabCase() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static String of(Class<?> type) {
    return HUMP.matcher(type.getSimpleName()).replaceAll("-").toLowerCase(Locale.ROOT);
  }

  /** The constant for a word; throws {@link IllegalArgumentException} with the known words. */
  public static <E extends Enum<E>> E constant(Class<E> type, String word) {
    for (var e : type.getEnumConstants()) if (of(e).equals(word)) return e;
    var known =
        Arrays.stream(type.getEnumConstants()).map(KebabCase::of).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("'" + word + "' is none of " + known);
  }
}
