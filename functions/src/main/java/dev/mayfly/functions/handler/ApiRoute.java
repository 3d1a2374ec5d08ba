package dev.mayfly.functions.handler;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The routes of the read API. {@code docs/api.md} has a row for each. */
enum ApiRoute {
  HEALTH("/v1/health"),
  CLUSTERS("/v1/clusters"),
  CLUSTER("/v1/clusters/CLUSTER"),
  WORKERS("/v1/clusters/CLUSTER/workers", "all"),
  WORKER("/v1/clusters/CLUSTER/workers/WORKER"),
  JOBS("/v1/clusters/CLUSTER/jobs", "limit"),
  JOB("/v1/clusters/CLUSTER/jobs/JOB", "owner", "caller", "after", "wait", "submission", "message"),
  EXPLAIN("/v1/clusters/CLUSTER/jobs/JOB/explain", "owner", "caller"),
  ESTIMATE("/v1/clusters/CLUSTER/jobs/JOB/estimate", "owner", "caller"),
  TASKS("/v1/clusters/CLUSTER/jobs/JOB/tasks", "owner", "caller", "state", "from", "limit"),
  TASK("/v1/clusters/CLUSTER/jobs/JOB/tasks/INDEX", "owner", "caller"),
  ADDITION("/v1/clusters/CLUSTER/jobs/JOB/additions/ADDITION", "owner", "caller"),
  EVENTS("/v1/clusters/CLUSTER/events", "about", "caller", "until", "limit"),
  COST("/v1/clusters/CLUSTER/cost", "by", "since", "job", "owner", "caller"),
  CLEANUP("/v1/cleanup"),
  REJECTIONS("/v1/rejections", "limit"),
  REJECTION("/v1/rejections/MESSAGE");

  /** Names become parts of document paths; no name has other characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,127}");

  private final String template;
  private final List<String> parts;
  private final List<String> parameters;

  ApiRoute(String template, String... parameters) {
    this.template = template;
    this.parts = List.of(template.substring("/v1/".length()).split("/"));
    this.parameters = List.of(parameters);
  }

  /** The path, with names in capitals for what the caller names. */
  String template() {
    return template;
  }

  List<String> parameters() {
    return parameters;
  }

  /**
   * A path that fits a route.
   *
   * @param names what the caller names, in the order of the template
   */
  record Match(ApiRoute route, List<String> names) {
    String name(int place) {
      return names.get(place);
    }
  }

  /** The route of a path, under any prefix; empty if it has none. */
  static Optional<Match> find(String path) {
    var all = List.of(path.split("/"));
    var start = all.indexOf("v1");
    if (start < 0) return Optional.empty();
    var asked = all.subList(start + 1, all.size());
    return Arrays.stream(values())
        .filter(route -> route.fits(asked))
        .findFirst()
        .map(route -> new Match(route, route.names(asked)));
  }

  private boolean fits(List<String> asked) {
    if (asked.size() != parts.size()) return false;
    for (var i = 0; i < parts.size(); i++) {
      var fits =
          isName(parts.get(i))
              ? NAME.matcher(asked.get(i)).matches()
              : parts.get(i).equals(asked.get(i));
      if (!fits) return false;
    }
    return true;
  }

  private List<String> names(List<String> asked) {
    return IntStream.range(0, parts.size())
        .filter(i -> isName(parts.get(i)))
        .mapToObj(asked::get)
        .toList();
  }

  private static boolean isName(String part) {
    return Character.isUpperCase(part.charAt(0));
  }
}
