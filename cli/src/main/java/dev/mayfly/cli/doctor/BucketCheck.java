package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks that a bucket is near the workers and not public.
 *
 * @param deployed whether Mayfly is there; before that, a bucket that is missing is Terraform's
 */
record BucketCheck(GoogleApis apis, List<String> regions, boolean deployed) {
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

  CheckResult check(String name) {
    var about = "bucket";
    var apiReply = apis.get("storage", "/storage/v1/b/" + name);
    if (apiReply.missing() && !deployed)
      return CheckResult.note(
          about,
          "gs://"
              + name
              + " does not exist yet: terraform apply makes it, and is refused for one that is there already, unless the cluster has create_bucket = false",
          DeploymentCheck.APPLY);
    if (apiReply.missing())
      return CheckResult.wrong(
          about,
          "gs://" + name + " does not exist",
          "gcloud storage buckets create gs://"
              + name
              + " --uniform-bucket-level-access"
              + (regions.isEmpty() ? "" : " --location=" + regions.getFirst()));
    if (!apiReply.ok())
      return CheckResult.denied(
          about,
          "gs://" + name + " is not readable (" + apiReply.why() + ")",
          "gcloud storage buckets add-iam-policy-binding gs://"
              + name
              + " --member=user:YOU --role=roles/storage.legacyBucketReader");
    return seen(about, name, apiReply.as(Bucket.class));
  }

  private CheckResult seen(String about, String name, Bucket bucket) {
    var location = bucket.location().orElse("?").toLowerCase(Locale.ROOT);
    if (!bucket.uniform())
      return CheckResult.wrong(
          about,
          "gs://" + name + " has per-object ACLs, to which IAM conditions do not apply",
          "gcloud storage buckets update gs://" + name + " --uniform-bucket-level-access");
    if (!regions.isEmpty() && !regions.contains(location))
      return CheckResult.note(
          about,
          "gs://"
              + name
              + " is in "
              + location
              + ", not in the workers' region: transfers cost money",
          "gcloud storage buckets create gs://"
              + name
              + "-"
              + regions.getFirst()
              + " --uniform-bucket-level-access --location="
              + regions.getFirst());
    if (!bucket.closed())
      return CheckResult.note(
          about,
          "gs://" + name + " could be made public",
          "gcloud storage buckets update gs://" + name + " --public-access-prevention");
    return CheckResult.ok(about, "gs://" + name + " in " + location);
  }
}
