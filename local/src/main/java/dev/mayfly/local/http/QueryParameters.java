package dev.mayfly.local.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of one request.
 *
 * @param values by name; the last value of a repeated name
 */
public record QueryParameters(Map<String, String> values) {
  public QueryParameters {
    values = Map.copyOf(values);
  }

  /** Parses the query of a URI. */
  public static QueryParameters of(URI uri) {
    var values = new LinkedHashMap<String, String>();
    var raw = uri.getRawQuery();
    for (var pair : raw == null ? new String[0] : raw.split("&")) {
      var equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      values.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return new QueryParameters(values);
  }

  /** The value; empty if it is absent or blank. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
  }

  /**
   * A non-negative whole number.
   *
   * @throws ApiError (400) when the value is something else
   */
  public Optional<Long> number(String name) {
    return text(name).map(value -> wholeNumber(name, value, 18));
  }

  /**
   * A non-negative whole number of at most nine digits.
   *
   * @throws ApiError (400) when the value is something else
   */
  public Optional<Integer> amount(String name) {
    return text(name).map(value -> wholeNumber(name, value, 9)).map(Math::toIntExact);
  }

  /** Whether the value is {@code true}. */
  public boolean flag(String name) {
    return text(name).filter("true"::equals).isPresent();
  }

  private static Long wholeNumber(String name, String value, int digits) {
    if (!value.matches("[0-9]{1," + digits + "}")) {
      throw ApiError.invalid(
          "Parameter '%s' is '%s'; it must be a whole number of at most %d digits"
              .formatted(name, value, digits));
    }
    return Long.valueOf(value);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
