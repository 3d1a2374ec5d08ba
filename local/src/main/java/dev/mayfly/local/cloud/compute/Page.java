package dev.mayfly.local.cloud.compute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.cloud.http.ApiError;
import dev.mayfly.local.cloud.http.Query;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a list, in the order of the items' names.
 *
 * @param next the token of the page after it; empty at the end
 */
record Page<T>(List<T> items, String next) {
  private static final long LARGEST = 500;

  /** The page that {@code maxResults} and {@code pageToken} of {@code query} ask for. */
  static <T> Page<T> of(List<T> all, Function<T, String> name, Query query) {
    var size = Math.min(query.number("maxResults").filter(n -> n > 0).orElse(LARGEST), LARGEST);
    var after = query.text("pageToken").map(Page::decoded).orElse("");
    var rest =
        all.stream()
            .filter(item -> name.apply(item).compareTo(after) > 0)
            .sorted(Comparator.comparing(name))
            .toList();
    if (rest.size() <= size) {
      return new Page<>(rest, "");
    }
    var items = rest.subList(0, (int) size);
    return new Page<>(items, encoded(name.apply(items.getLast())));
  }

  private static String encoded(String name) {
    return Base64.getUrlEncoder().encodeToString(name.getBytes(UTF_8));
  }

  private static String decoded(String token) {
    try {
      return new String(Base64.getUrlDecoder().decode(token), UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid("Invalid value for field 'pageToken': '" + token + "'", e);
    }
  }
}
