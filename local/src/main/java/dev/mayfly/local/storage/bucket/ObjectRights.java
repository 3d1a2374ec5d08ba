package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.ApiError;
import java.util.List;

/**
 * What a caller of the simulated storage may do with objects: what Terraform grants to its account
 * ({@code terraform/modules/iam/access.json}, by which a test checks this), so that what Google
 * Cloud would refuse is refused on a laptop too.
 *
 * @param outputPrefixes where machines may replace and delete objects
 */
public record ObjectRights(TokenHolder holder, List<String> outputPrefixes) {
  public static final ObjectRights OWNER = new ObjectRights(TokenHolder.OWNER, List.of());

  private static final String SENTINEL = ".COMPLETE";
  private static final String OWN = "mayfly/.";
  private static final String CODE = OWN + "code/";
  private static final String JOBS = OWN + "jobs/";

  public ObjectRights {
    outputPrefixes = List.copyOf(outputPrefixes);
  }

  /** Throws 403 unless the caller may create the object. */
  public void checkCreate(String bucket, String name) {
    if (mayCreate(name)) return;
    throw denied("storage.objects.create", bucket, name);
  }

  /** Throws 403 unless the caller may replace or delete the object. */
  public void checkReplace(String bucket, String name) {
    if (mayReplace(name)) return;
    throw denied("storage.objects.delete", bucket, name);
  }

  /** Throws 403 unless the caller may change an object's metadata. */
  public void checkUpdate(String bucket, String name) {
    if (holder != TokenHolder.OWNER) throw denied("storage.objects.update", bucket, name);
  }

  /** Throws 403 unless the caller may make, change and delete buckets. */
  public void checkBuckets(String permission, String bucket) {
    var made = holder == TokenHolder.ADMIN && permission.equals("storage.buckets.create");
    if (holder != TokenHolder.OWNER && !made) throw denied(permission, bucket, "");
  }

  boolean mayCreate(String name) {
    return switch (holder) {
      case OWNER -> true;
      case VIEWER, SUBMITTER -> false;
      case PERSON, ADMIN -> !name.endsWith(SENTINEL) && !name.startsWith(JOBS);
      case MACHINE -> !name.startsWith(CODE) && (!name.startsWith(JOBS) || isLog(name));
      case TASK -> name.startsWith(CODE);
    };
  }

  boolean mayReplace(String name) {
    return switch (holder) {
      case OWNER -> true;
      case PERSON, TASK, VIEWER, SUBMITTER, ADMIN -> false;
      case MACHINE ->
          outputPrefixes.stream().anyMatch(name::startsWith)
              && !name.endsWith(SENTINEL)
              && !name.startsWith(OWN);
    };
  }

  /**
   * Of a job's own objects, its logs, under a name that is not one of its lists or outcomes too.
   */
  private static boolean isLog(String name) {
    return isBelow(name, "/logs/") && !isBelow(name, "/tasks/") && !isBelow(name, "/outcome/");
  }

  private static boolean isBelow(String name, String folder) {
    return name.indexOf(folder, JOBS.length()) > JOBS.length();
  }

  private ApiError denied(String permission, String bucket, String name) {
    return new ApiError(
        403,
        "forbidden",
        "Caller does not have %s access to the Google Cloud Storage %s. Permission '%s' denied on resource '%s' (or it may not exist): %s, as on Google Cloud; %s"
            .formatted(
                permission,
                name.isEmpty() ? "bucket" : "object",
                permission,
                name.isEmpty() ? bucket : bucket + "/" + name,
                reason(name.endsWith(SENTINEL)),
                remedy()));
  }

  private String reason(boolean sentinel) {
    return switch (holder) {
      case OWNER -> "the owner may";
      case VIEWER, SUBMITTER -> "viewers read no objects";
      case PERSON, ADMIN ->
          "people who submit jobs create objects, but no sentinel and nothing below mayfly/.jobs/, and replace and delete none";
      case MACHINE ->
          sentinel
              ? "machines never replace a sentinel"
              : "machines create no code or job objects, and replace and delete objects below the output prefixes %s only"
                  .formatted(String.join(", ", outputPrefixes));
      case TASK -> "tasks with submitter: true create objects below mayfly/.code/ only";
    };
  }

  private String remedy() {
    return holder == TokenHolder.PERSON
        ? "choose another name, or change the file in $MAYFLY_HOME/cloud/buckets, or use the owner's token (curl -K $MAYFLY_HOME/cloud/curl)"
        : "the owner's token (curl -K $MAYFLY_HOME/cloud/curl) has all rights";
  }
}
