package dev.mayfly.cli.preflight;

import dev.mayfly.cli.reach.GoogleApis;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a bucket is near the workers and closed to the world. */
record Buckets(GoogleApis apis, List<String> regions) {
  private record Bucket(Optional<String> location, Optional<Access> iamConfiguration) {
    boolean uniform() {
      return iamConfiguration
          .flatMap(Access::uniformBucketLevelAccess)
          .flatMap(Access.Uniform::enabled)
          .orElse(false);
    }

    boolean closed() {
      return iamConfiguration
          .flatMap(Access::publicAccessPrevention)
          .filter("enforced"::equals)
          .isPresent();
    }
  }

  private record Access(
      Optional<Uniform> uniformBucketLevelAccess, Optional<String> publicAccessPrevention) {
    record Uniform(Optional<Boolean> enabled) {}
  }

  Check check(String name) {
    var about = "bucket";
    var answer = apis.get("storage", "/storage/v1/b/" + name);
    if (answer.missing())
      return Check.wrong(
          about,
          "gs://" + name + " is not there",
          "gcloud storage buckets create gs://"
              + name
              + " --uniform-bucket-level-access"
              + (regions.isEmpty() ? "" : " --location=" + regions.getFirst()));
    if (!answer.ok())
      return Check.denied(
          about,
          "gs://" + name + " cannot be seen (" + answer.why() + ")",
          "gcloud storage buckets add-iam-policy-binding gs://"
              + name
              + " --member=user:YOU --role=roles/storage.legacyBucketReader");
    return seen(about, name, answer.as(Bucket.class));
  }

  private Check seen(String about, String name, Bucket bucket) {
    var location = bucket.location().orElse("?").toLowerCase(Locale.ROOT);
    if (!bucket.uniform())
      return Check.wrong(
          about,
          "gs://" + name + " has rights on single objects, which conditions do not reach",
          "gcloud storage buckets update gs://" + name + " --uniform-bucket-level-access");
    if (!regions.isEmpty() && !regions.contains(location))
      return Check.note(
          about,
          "gs://" + name + " is in " + location + ", away from the workers: transfers cost money",
          "gcloud storage buckets create gs://"
              + name
              + "-"
              + regions.getFirst()
              + " --uniform-bucket-level-access --location="
              + regions.getFirst());
    if (!bucket.closed())
      return Check.note(
          about,
          "gs://" + name + " could be opened to everybody",
          "gcloud storage buckets update gs://" + name + " --public-access-prevention");
    return Check.ok(about, "gs://" + name + " in " + location);
  }
}
