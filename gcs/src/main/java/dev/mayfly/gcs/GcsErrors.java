package dev.mayfly.gcs;

import com.google.auth.Retryable;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Locale;
import java.util.regex.Pattern;

/** Translates Cloud Storage's errors into errors with a remedy. */
final class GcsErrors {
  private static final Pattern PERMISSION = Pattern.compile("\\bstorage\\.[a-z]+\\.[A-Za-z]+\\b");

  private GcsErrors() {}

  /**
   * Not for a 404 or 410 during an upload, which refers to the upload rather than the bucket; see
   * {@link GcsUpload}.
   */
  static MayflyException of(ObjectUrl objectUrl, StorageException e) {
    if (loginRefused(e))
      return new MissingPermissionException(
          objectUrl
              + ": Google refuses this login ("
              + e.getMessage()
              + "); run `gcloud auth application-default login --disable-quota-project`, or give the machine its service account back",
          e);
    return switch (e.getCode()) {
      case 400 -> badRequest(objectUrl, e);
      // A retry may succeed.
      case 401 ->
          new UnavailableException(
              objectUrl
                  + ": Cloud Storage does not recognize the caller; run `gcloud auth application-default login --disable-quota-project`",
              e);
      case 403 -> forbidden(objectUrl, e);
      case 404 ->
          new InvalidInputException(
              objectUrl.toString(),
              "there is no bucket " + objectUrl.root() + "; create it or correct its name");
      default -> unavailable(objectUrl, e);
    };
  }

  private static MayflyException badRequest(ObjectUrl objectUrl, StorageException e) {
    // The content changed in transit, or between two readings.
    if (says(e, "doesn't match calculated")) return unavailable(objectUrl, e);
    if (RequesterPays.wanted(e))
      return new InvalidInputException(
          objectUrl.toString(),
          "bucket "
              + objectUrl.root()
              + " charges the requester (requester pays); set GOOGLE_CLOUD_PROJECT to the project that pays");
    return new InvalidInputException(
        objectUrl.toString(), "Cloud Storage rejects it: " + e.getMessage());
  }

  private static MayflyException forbidden(ObjectUrl objectUrl, StorageException e) {
    if (says(e, "rateLimitExceeded") || says(e, "quotaExceeded")) return unavailable(objectUrl, e);
    if (says(e, "retention policy")
        || says(e, "retentionPolicyNotMet")
        || says(e, "objectUnderActiveHold"))
      return new InvalidInputException(
          objectUrl.toString(),
          "the existing object is kept by a retention policy or a hold ("
              + e.getMessage()
              + "); choose another place, or release it");
    if (says(e, "serviceusage.services.use"))
      return MissingPermissionException.at(
          objectUrl.toString(),
          objectUrl
              + ": "
              + e.getMessage()
              + "; the login names a project to charge that it may not use: run"
              + " gcloud auth application-default login --disable-quota-project",
          e);
    return MissingPermissionException.at(
        objectUrl.toString(), denied(objectUrl, String.valueOf(e.getMessage())), e);
  }

  /** The permission's name first, which must survive where long texts are cut. */
  private static String denied(ObjectUrl objectUrl, String message) {
    var name = PERMISSION.matcher(message);
    return name.find()
        ? "%s is denied on %s: %s on bucket %s (%s)"
            .formatted(name.group(), objectUrl, remedy(name.group()), objectUrl.root(), message)
        : "%s: %s; grant the account the right on bucket %s"
            .formatted(objectUrl, message, objectUrl.root());
  }

  /** Machines replace and delete below the deployment's output prefixes only. */
  private static String remedy(String permission) {
    return permission.equals("storage.objects.delete")
        ? "delete it yourself, or name its folder in Terraform's output_prefixes, or grant the right"
        : "grant it";
  }

  private static MayflyException unavailable(ObjectUrl objectUrl, StorageException e) {
    return new UnavailableException(
        objectUrl + ": Cloud Storage did not answer properly: " + e.getMessage(), e);
  }

  private static boolean says(StorageException e, String text) {
    var answer = e.getReason() + " " + e.getMessage();
    return answer.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  /** Whether the token endpoint refuses a token for good, such as with {@code invalid_grant}. */
  static boolean loginRefused(Throwable e) {
    for (var cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof Retryable login) return !login.isRetryable();
    return false;
  }
}
