package dev.mayfly.functions.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorBoundaryTest {
  private static ErrorBoundary.Work thrown(Throwable failure) {
    return () -> {
      if (failure instanceof Error error) throw error;
      throw (RuntimeException) failure;
    };
  }

  private static TestHttp.Response answer(Throwable failure) throws IOException {
    var response = new TestHttp.Response();
    ErrorBoundary.handleHttp("call", response, thrown(failure));
    return response;
  }

  @Test
  void eachFailureHasItsStatus() throws IOException {
    var statuses =
        Map.of(
            new InvalidInputException("a", "b"), 400,
            new DeniedException("a"), 403,
            new UnavailableException("a"), 503,
            new IllegalStateException("a"), 500,
            new OutOfMemoryError("Java heap space"), 503,
            new StackOverflowError(), 500);

    for (var each : statuses.entrySet())
      assertThat(answer(each.getKey()).status).as("%s", each.getKey()).isEqualTo(each.getValue());
  }

  @Test
  void bugDetailsStayInTheLog() throws IOException {
    for (var failure : List.of(new IllegalStateException("secret"), new OutOfMemoryError("secret")))
      assertThat(answer(failure).text()).doesNotContain("secret");
  }

  @Test
  void errorsRedeliverEventsUnlessInvalid() {
    for (var failure : List.of(new OutOfMemoryError(), new StackOverflowError()))
      assertThatThrownBy(() -> ErrorBoundary.handleEvent("1", thrown(failure)))
          .isInstanceOf(ErrorBoundary.RedeliverException.class);
    ErrorBoundary.handleEvent("1", thrown(new InvalidInputException("a", "b")));
  }

  @Test
  void answersAreNotSniffedOrCached() throws IOException {
    var answer = answer(new InvalidInputException("a", "<script>"));

    assertThat(answer.headers.get("X-Content-Type-Options")).containsExactly("nosniff");
    assertThat(answer.headers.get("Cache-Control")).containsExactly("no-store");
    assertThat(answer.getContentType()).contains("application/json; charset=utf-8");
  }
}
