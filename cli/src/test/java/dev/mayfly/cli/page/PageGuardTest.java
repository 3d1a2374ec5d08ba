package dev.mayfly.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is answered by the page's server, and who is not. */
class PageGuardTest {
  private static final String OWN = "127.0.0.1:8480";
  private static final String COOKIE = "theme=dark; mayfly-ui-8480=secret";

  private final PageGuard guard = new PageGuard(8480, "secret");

  @Test
  void keyOpensTheRootAndIsKept() {
    var asked = asked("GET", "/", "key=secret", OWN, "", "none");

    assertThat(guard.refusal(asked)).isEmpty();
    assertThat(guard.grants(asked)).isTrue();
    assertThat(guard.setCookie())
        .isEqualTo("mayfly-ui-8480=secret; Path=/; HttpOnly; SameSite=Strict");
  }

  @Test
  void keyOpensNothingButTheRoot() {
    assertThat(status("GET", "/api/v1/clusters", "key=secret", OWN, "", "same-origin"))
        .contains(401);
  }

  @Test
  void cookieOpensFilesAndApi() {
    assertThat(status("GET", "/", "", OWN, COOKIE, "none")).isEmpty();
    assertThat(status("GET", "/api/v1/clusters", "", OWN, COOKIE, "same-origin")).isEmpty();
    assertThat(status("GET", "/app.js", "", "localhost:8480", COOKIE, "")).isEmpty();
  }

  @Test
  void wrongKeyOrCookieIsRefused() {
    assertThat(status("GET", "/", "key=guess", OWN, "", "none")).contains(401);
    assertThat(status("GET", "/app.js", "", OWN, "mayfly-ui-8480=guess", "")).contains(401);
    assertThat(status("GET", "/app.js", "", OWN, "mayfly-ui-9000=secret", "")).contains(401);
  }

  @Test
  void foreignNamesOfThisComputerAreRefused() {
    assertThat(status("GET", "/", "key=secret", "evil.example:8480", COOKIE, "")).contains(421);
    assertThat(status("GET", "/", "key=secret", "127.0.0.1:9000", COOKIE, "")).contains(421);
    assertThat(status("GET", "/", "key=secret", "", COOKIE, "")).contains(421);
  }

  @Test
  void pagesOfOtherPortsAreRefused() {
    assertThat(status("GET", "/api/v1/clusters", "", OWN, COOKIE, "same-site")).contains(403);
    assertThat(status("GET", "/api/v1/clusters", "", OWN, COOKIE, "cross-site")).contains(403);
  }

  @Test
  void nothingButGetIsAnswered() {
    assertThat(status("POST", "/api/v1/clusters", "", OWN, COOKIE, "same-origin")).contains(405);
    assertThat(status("OPTIONS", "/", "key=secret", OWN, COOKIE, "")).contains(405);
  }

  private Optional<Integer> status(
      String method, String path, String query, String host, String cookies, String site) {
    return guard
        .refusal(asked(method, path, query, host, cookies, site))
        .map(PageGuard.Refusal::status);
  }

  private static PageGuard.Asked asked(
      String method, String path, String query, String host, String cookies, String site) {
    return new PageGuard.Asked(method, path, query, some(host), some(cookies), some(site));
  }

  private static Optional<String> some(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }
}
