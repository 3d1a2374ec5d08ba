package dev.mayfly.functions.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The routes of the read API and the page about them say the same. */
class ApiRouteTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `GET (/v1/[^`?]*)` \\| ([^|]*) \\| ([^|]*) \\|");
  private static final Pattern PARAMETER = Pattern.compile("`([a-z]+)`: ");
  private static final Pattern SCHEMA = Pattern.compile("\\(\\.\\./(schemas/[^)]*)\\)");

  @Test
  void pageHasExactlyTheRoutesAndParameters() throws IOException {
    var documented = new LinkedHashMap<String, List<String>>();
    ROW.matcher(page())
        .results()
        .forEach(row ->
            documented.put(
                row.group(1),
                PARAMETER.matcher(row.group(2)).results().map(p -> p.group(1)).toList()));
    var served = new LinkedHashMap<String, List<String>>();
    Arrays.stream(ApiRoute.values()).forEach(r -> served.put(r.template(), r.parameters()));

    assertThat(documented).isEqualTo(served);
  }

  @Test
  void everyAnswerNamesASchemaThatExists() throws IOException {
    var answers = ROW.matcher(page()).results().map(row -> row.group(3)).toList();

    assertThat(answers.subList(1, answers.size())).allMatch(a -> SCHEMA.matcher(a).find());
    SCHEMA
        .matcher(page())
        .results()
        .forEach(schema -> assertThat(DOCS.resolve("..").resolve(schema.group(1))).exists());
  }

  private static String page() throws IOException {
    return Files.readString(DOCS.resolve("api.md"));
  }

  @Test
  void eachTemplateFindsItsOwnRoute() {
    for (var route : ApiRoute.values()) {
      var path = "/prefix" + route.template().replaceAll("[A-Z]+", "a-1");

      assertThat(ApiRoute.find(path).map(ApiRoute.Match::route)).contains(route);
    }
    assertThat(ApiRoute.find("/api/v1/clusters/lab/jobs/j9/explain").orElseThrow().names())
        .isEqualTo(List.of("lab", "j9"));
  }

  /** A name that could name another document reaches no query. */
  @Test
  void otherPathsHaveNoRoute() {
    var none = List.of("/v1", "/v1/clusters/..", "/v1/clusters/a%2Fb", "/v2/clusters");

    assertThat(none).allMatch(path -> ApiRoute.find(path).isEmpty());
    assertThat(ApiRoute.find("/v1/clusters/lab/tasks/j")).isEmpty();
    assertThat(ApiRoute.find("/v1/clusters/lab/workers/w/x")).isEmpty();
  }
}
