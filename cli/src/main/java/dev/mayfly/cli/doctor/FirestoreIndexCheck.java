package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that Firestore can sum a job's shards in one query, as each reconcile pass does before it
 * orders a machine. The queried job does not exist: only the index matters.
 */
record FirestoreIndexCheck(GoogleApis apis, String project, String database) {
  /** The summed fields of {@code totals}: the fields of the index in Terraform. */
  static final List<String> FIELDS = List.of("done", "failed", "leased", "ready");

  private record Question(Structured structuredAggregationQuery) {}

  private record Structured(Query structuredQuery, List<Aggregation> aggregations) {}

  private record Query(List<From> from) {}

  private record From(String collectionId) {}

  private record Aggregation(String alias, Optional<Sum> sum, Optional<Map<String, String>> count) {
    static Aggregation sum(String field) {
      var path = new Sum(new Field("totals." + field));
      return new Aggregation(field, Optional.of(path), Optional.empty());
    }
  }

  private record Sum(Field field) {}

  private record Field(String fieldPath) {}

  CheckResult check() {
    var about = "index";
    var apiReply =
        apis.post(
            "firestore",
            "/v1/projects/%s/databases/%s/documents/clusters/doctor/jobs/none:runAggregationQuery"
                .formatted(project, database),
            query());
    if (apiReply.ok()) return CheckResult.ok(about, "Firestore sums up a job in one query");
    if (apiReply.status() == 403)
      return CheckResult.note(
          about,
          "sums of jobs cannot be queried (" + apiReply.why() + ")",
          CheckResult.grantCommand("roles/datastore.viewer", project));
    return CheckResult.wrong(
        about,
        "Firestore cannot sum up a job, so its totals are read piece by piece ("
            + apiReply.why()
            + ")",
        "gcloud firestore indexes composite list --project=%s --database=%s"
            .formatted(project, database));
  }

  private static Question query() {
    var count = new Aggregation("shards", Optional.empty(), Optional.of(Map.of()));
    var all = Stream.concat(FIELDS.stream().map(Aggregation::sum), Stream.of(count)).toList();
    return new Question(new Structured(new Query(List.of(new From("shards"))), all));
  }
}
