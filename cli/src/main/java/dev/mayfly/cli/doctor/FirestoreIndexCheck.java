package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether Firestore adds up the shards of a job in one query, as each round asks before it orders a
 * machine. The job that is asked about is not there: what is looked at is whether the index is.
 */
record FirestoreIndexCheck(GoogleApis apis, String project, String database) {
  /** What is added up, of {@code totals}: the fields of the index in Terraform. */
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
            question());
    if (apiReply.ok())
      return CheckResult.ok(about, "Firestore adds up a job's shards in one query");
    if (apiReply.status() == 403)
      return CheckResult.note(
          about,
          "whether Firestore adds up shards cannot be asked (" + apiReply.why() + ")",
          "gcloud projects add-iam-policy-binding "
              + project
              + " --member=user:YOU --condition=None --role=roles/datastore.viewer");
    return CheckResult.wrong(
        about,
        "Firestore does not add up a job's shards, so that totals are read shard by shard ("
            + apiReply.why()
            + ")",
        "gcloud firestore indexes composite list --project=%s --database=%s"
            .formatted(project, database));
  }

  private static Question question() {
    var count = new Aggregation("shards", Optional.empty(), Optional.of(Map.of()));
    var all = Stream.concat(FIELDS.stream().map(Aggregation::sum), Stream.of(count)).toList();
    return new Question(new Structured(new Query(List.of(new From("shards"))), all));
  }
}
