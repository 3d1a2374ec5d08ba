package dev.mayfly.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * Requests in which one value is not what it should be: numbers, texts, and parts of JSON that a
 * caller may get wrong.
 */
final class CallersMistakes {
  private static final List<String> NUMBERS =
      List.of("", "-1", "abc", "1.5", "9223372036854775808", "99999999999999999999", "%D9%A3");

  private static final List<String> TEXTS =
      List.of("", "..", "a%00b", "%2F", "%FF", "%25%25", "*", "a:b", "a".repeat(2_000));

  private static final List<String> JSON =
      List.of(
          "null",
          "true",
          "1e400",
          "99999999999999999999",
          "\"\"",
          "\"99999999999999999999\"",
          "\"\\u0000\"",
          "[null]",
          "{\"a\":{\"b\":[1]}}");

  private static final List<String> RAW =
      List.of("", "%%", "%zz", "=", "\u0000\u00e9", "x".repeat(2_000));

  private CallersMistakes() {}

  static List<byte[]> with(List<String> mistakes, List<byte[]> seeds) {
    var all = new ArrayList<>(seeds);
    for (var request : mistakes) all.addAll(in(request));
    return List.copyOf(all);
  }

  /**
   * The request with each mistake in each of its places: {@code <n>} a number, {@code <t>} text in
   * an address, {@code <j>} JSON, {@code <r>} any characters. The other places have what is in
   * order.
   *
   * @param request with {@code <KIND:VALUE>} for each place
   */
  static List<byte[]> in(String request) {
    var all = new ArrayList<byte[]>();
    for (var at = request.indexOf('<'); at >= 0; at = request.indexOf('<', at + 1)) {
      var end = request.indexOf('>', at);
      for (var mistake : mistakes(request.charAt(at + 1)))
        all.add(
            SeedCorpus.bytes(
                right(request.substring(0, at)) + mistake + right(request.substring(end + 1))));
    }
    all.add(SeedCorpus.bytes(right(request)));
    return all;
  }

  private static List<String> mistakes(char kind) {
    return switch (kind) {
      case 'n' -> NUMBERS;
      case 't' -> TEXTS;
      case 'j' -> JSON;
      case 'r' -> RAW;
      default -> throw new IllegalArgumentException("there is no kind " + kind);
    };
  }

  private static String right(String text) {
    return text.replaceAll("<[ntjr]:([^>]*)>", "$1");
  }
}
