package dev.mayfly.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.ViewFixtures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is answered by the page's server, and who is not. */
class PageGuardTest {
  private static final String OWN = "127.0.0.1:8480";

  private final PageGuard guard = new PageGuard(8480, "secret");

  @Test
  void filesOfThePageAreEverybodys() {
    assertThat(status("GET", "/", OWN, "", "none")).isEmpty();
    assertThat(status("GET", "/", OWN, "", "cross-site")).isEmpty();
    assertThat(status("GET", "/app.js", "localhost:8480", "", "same-origin")).isEmpty();
    assertThat(status("GET", "/app.js", OWN, "", "cross-site")).contains(403);
  }

  @Test
  void keyOpensWhatThePageShows() {
    for (var path : List.of("/api/v1/clusters", "/logs/lab/j1", "/api/viewer")) {
      assertThat(status("GET", path, OWN, "secret", "same-origin")).as(path).isEmpty();
      assertThat(status("GET", path, OWN, "guess", "same-origin")).as(path).contains(401);
      assertThat(status("GET", path, OWN, "", "same-origin")).as(path).contains(401);
    }
  }

  @Test
  void foreignNamesOfThisComputerAreRefused() {
    for (var host : List.of("evil.example:8480", "127.0.0.1:9000", "127.0.0.1", ""))
      assertThat(status("GET", "/", host, "secret", "")).as(host).contains(421);
  }

  @Test
  void usualPortIsLeftOutByBrowsers() {
    var usual = new PageGuard(80, "secret");

    assertThat(usual.refusal(asked("GET", "/", "127.0.0.1", "", "none"))).isEmpty();
    assertThat(usual.refusal(asked("GET", "/", "127.0.0.1:80", "", "none"))).isEmpty();
    assertThat(usual.refusal(asked("GET", "/", "evil.example", "", "none"))).isPresent();
  }

  @Test
  void pagesOfOtherPortsAreRefused() {
    for (var site : List.of("same-site", "cross-site"))
      assertThat(status("GET", "/api/v1/clusters", OWN, "secret", site)).contains(403);
  }

  @Test
  void nothingButGetIsAnswered() {
    assertThat(status("POST", "/api/v1/clusters", OWN, "secret", "same-origin")).contains(405);
    assertThat(status("OPTIONS", "/", OWN, "secret", "")).contains(405);
  }

  @Test
  void launchWordIsOfUseOnce() {
    var word = new LaunchWord();
    var now = ViewFixtures.NOW;

    assertThat(word.takes("", now)).isFalse();
    word.is("once", now);
    assertThat(word.takes("guess", now)).isFalse();
    assertThat(word.takes("once", now.plusSeconds(5))).isTrue();
    assertThat(word.takes("once", now.plusSeconds(6))).isFalse();
    word.is("late", now);
    assertThat(word.takes("late", now.plusSeconds(61))).isFalse();
  }

  private Optional<Integer> status(
      String method, String path, String host, String key, String site) {
    return guard.refusal(asked(method, path, host, key, site)).map(PageGuard.Refusal::status);
  }

  private static PageGuard.Asked asked(
      String method, String path, String host, String key, String site) {
    return new PageGuard.Asked(method, path, some(host), some(key), some(site));
  }

  private static Optional<String> some(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }
}
