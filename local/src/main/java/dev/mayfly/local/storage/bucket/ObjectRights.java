package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import java.util.List;
import java.util.Optional;

/**
 * What a caller of the simulated storage may do with objects. A machine has the rights that
 * Terraform gives to the account {@code agent} ({@code terraform/modules/iam/access.json}), so that
 * a task which Google Cloud would refuse is refused on a laptop too.
 *
 * @param outputPrefixes where a machine may replace and delete objects; empty for the owner, who
 *     may do everything
 */
public record ObjectRights(Optional<List<String>> outputPrefixes) {
  public static final ObjectRights OWNER = new ObjectRights(Optional.empty());

  private static final String SENTINEL = ".COMPLETE";
  private static final String OWN = "mayfly/.";
  private static final String CODE = OWN + "code/";
  private static final String JOBS = OWN + "jobs/";

  public static ObjectRights ofMachine(List<String> outputPrefixes) {
    return new ObjectRights(Optional.of(List.copyOf(outputPrefixes)));
  }

  /** Throws 403 unless the caller may create the object. */
  public void checkCreate(String bucket, String name) {
    if (outputPrefixes.isEmpty() || isCreatable(name)) return;
    throw denied("storage.objects.create", bucket, name, "machines create no code or job objects");
  }

  /** Everywhere but code, and of a job's own objects only logs. */
  private static boolean isCreatable(String name) {
    if (name.startsWith(CODE)) return false;
    if (!name.startsWith(JOBS)) return true;
    var job = name.substring(JOBS.length());
    var logs = job.indexOf("/logs/");
    return logs > 0 && job.indexOf('/') == logs;
  }

  /** Throws 403 unless the caller may replace or delete the object. */
  public void checkReplace(String bucket, String name) {
    if (outputPrefixes.isEmpty() || isReplaceable(name, outputPrefixes.get())) return;
    var why =
        name.endsWith(SENTINEL)
            ? "machines never replace a sentinel"
            : "machines replace and delete objects below the output prefixes "
                + String.join(", ", outputPrefixes.get())
                + " only, as on Google Cloud";
    throw denied("storage.objects.delete", bucket, name, why);
  }

  private static boolean isReplaceable(String name, List<String> prefixes) {
    return prefixes.stream().anyMatch(name::startsWith)
        && !name.endsWith(SENTINEL)
        && !name.startsWith(OWN);
  }

  /** Throws 403 unless the caller may change an object's metadata. */
  public void checkUpdate(String bucket, String name) {
    if (outputPrefixes.isEmpty()) return;
    throw denied(
        "storage.objects.update", bucket, name, "machines change no metadata of an object");
  }

  /** Throws 403 unless the caller may make, change and delete buckets. */
  public void checkBuckets(String permission, String bucket) {
    if (outputPrefixes.isEmpty()) return;
    throw denied(permission, bucket, "", "machines do not administer buckets");
  }

  private static ApiError denied(String permission, String bucket, String name, String why) {
    return new ApiError(
        403,
        "forbidden",
        "Caller does not have %s access to the Google Cloud Storage %s. Permission '%s' denied on resource '%s' (or it may not exist): %s; the owner's token (curl -K $MAYFLY_HOME/cloud/curl) has all rights"
            .formatted(
                permission,
                name.isEmpty() ? "bucket" : "object",
                permission,
                name.isEmpty() ? bucket : bucket + "/" + name,
                why));
  }
}
