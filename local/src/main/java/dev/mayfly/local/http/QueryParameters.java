package dev.mayfly.local.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of one request.
 *
 * @param all by name, each with its values
 */
public record QueryParameters(Map<String, List<String>> all) {
  /** Parses the query of a URI, or a form. */
  public static QueryParameters of(String raw) {
    var all = new LinkedHashMap<String, List<String>>();
    for (var pair : raw.split("&")) {
      if (pair.isEmpty()) continue;
      var equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      all.computeIfAbsent(decoded(name), n -> new ArrayList<>()).add(value);
    }
    return new QueryParameters(all);
  }

  /** The last value; empty if it is absent or blank. */
  public Optional<String> text(String name) {
    return last(name).filter(value -> !value.isEmpty());
  }

  /**
   * A whole number.
   *
   * @throws ApiError (400) when the value is something else
   */
  public Optional<Long> number(String name) {
    return last(name).map(value -> wholeNumber(name, value));
  }

  /**
   * A non-negative whole number of at most nine digits.
   *
   * @throws ApiError (400) when the value is something else
   */
  public Optional<Integer> amount(String name) {
    return text(name)
        .map(value -> {
          if (value.matches("[0-9]{1,9}")) return Integer.valueOf(value);
          throw ApiError.invalid(
              "Parameter '%s' is '%s'; it must be a whole number of at most 9 digits"
                  .formatted(name, value));
        });
  }

  /** Whether the value is {@code true}. */
  public boolean flag(String name) {
    return text(name).filter("true"::equals).isPresent();
  }

  static Long wholeNumber(String name, String value) {
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw ApiError.invalid(
          "Invalid value '%s' for '%s': write a whole number (%s)"
              .formatted(value, name, e.getMessage()),
          e);
    }
  }

  private Optional<String> last(String name) {
    return Optional.ofNullable(all.get(name)).map(List::getLast);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid("Invalid parameter '" + text + "': " + e.getMessage(), e);
    }
  }
}
