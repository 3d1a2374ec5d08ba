package dev.mayfly.local.machines.compute;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.QueryParameters;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One page of a list, ordered by the items' names.
 *
 * @param next the token of the next page; empty at the end
 */
record ResultPage<T>(List<T> items, String next) {
  private static final long LARGEST = 500;

  /** The page that {@code filter}, {@code maxResults} and {@code pageToken} select. */
  static <T extends Message> ResultPage<T> of(
      List<T> all, Function<T, String> name, QueryParameters queryParameters) {
    var size =
        Math.min(queryParameters.number("maxResults").filter(n -> n > 0).orElse(LARGEST), LARGEST);
    var after = queryParameters.text("pageToken").map(ResultPage::decoded).orElse("");
    var listFilter = ListFilter.parse(queryParameters.text("filter"));
    var rest =
        all.stream()
            .filter(listFilter::matches)
            .filter(item -> name.apply(item).compareTo(after) > 0)
            .sorted(Comparator.comparing(name))
            .toList();
    if (rest.size() <= size) {
      return new ResultPage<>(rest, "");
    }
    var items = rest.subList(0, (int) size);
    return new ResultPage<>(items, encoded(name.apply(items.getLast())));
  }

  /** Sets the token of the next page, if there is one. */
  void ifMore(Consumer<String> token) {
    if (!next.isEmpty()) token.accept(next);
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
