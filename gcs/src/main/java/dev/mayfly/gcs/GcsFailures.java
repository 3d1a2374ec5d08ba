package dev.mayfly.gcs;

import com.google.auth.Retryable;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Url;
import java.util.Locale;

/** What Cloud Storage's refusals mean for those who can mend them. */
final class GcsFailures {
  private GcsFailures() {}

  /**
   * Not for a 404 or 410 within an upload, which tell of the upload and not of the bucket; see
   * {@link GcsUpload}.
   */
  static MayflyException of(Url url, StorageException e) {
    if (loginRefused(e))
      return new MissingPermission(
          url
              + ": Google refuses this login ("
              + e.getMessage()
              + "); run `gcloud auth application-default login --disable-quota-project`, or give the machine its service account back",
          e);
    return switch (e.getCode()) {
      case 400 -> badRequest(url, e);
      // A login that failed once may work the next time.
      case 401 ->
          new Unavailable(
              url
                  + ": Cloud Storage does not know who asks; run `gcloud auth application-default login --disable-quota-project`",
              e);
      case 403 -> forbidden(url, e);
      case 404 ->
          new Invalid(
              url.toString(),
              "there is no bucket " + url.root() + "; create it or correct its name");
      default -> unavailable(url, e);
    };
  }

  private static MayflyException badRequest(Url url, StorageException e) {
    // Bytes were changed on the way, or read differently a second time.
    if (says(e, "doesn't match calculated")) return unavailable(url, e);
    if (RequesterPays.wanted(e))
      return new Invalid(
          url.toString(),
          "bucket "
              + url.root()
              + " lets its users pay (requester pays); set GOOGLE_CLOUD_PROJECT to the project that does");
    return new Invalid(url.toString(), "Cloud Storage refuses it: " + e.getMessage());
  }

  private static MayflyException forbidden(Url url, StorageException e) {
    if (says(e, "rateLimitExceeded") || says(e, "quotaExceeded")) return unavailable(url, e);
    if (says(e, "retention policy")
        || says(e, "retentionPolicyNotMet")
        || says(e, "objectUnderActiveHold"))
      return new Invalid(
          url.toString(),
          "the object that is there is kept by a retention policy or a hold ("
              + e.getMessage()
              + "); choose another place, or release it");
    if (says(e, "serviceusage.services.use"))
      return MissingPermission.at(
          url.toString(),
          url
              + ": "
              + e.getMessage()
              + "; the login names a project that calls are charged to, and may not use it: run"
              + " gcloud auth application-default login --disable-quota-project",
          e);
    return MissingPermission.at(
        url.toString(),
        url + ": " + e.getMessage() + "; grant the account the right on bucket " + url.root(),
        e);
  }

  private static MayflyException unavailable(Url url, StorageException e) {
    return new Unavailable(
        url + ": Cloud Storage did not answer as it should: " + e.getMessage(), e);
  }

  private static boolean says(StorageException e, String text) {
    var said = e.getReason() + " " + e.getMessage();
    return said.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  /** Whether the place that gives tokens refuses one for good, such as by {@code invalid_grant}. */
  static boolean loginRefused(Throwable e) {
    for (var cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof Retryable login) return !login.isRetryable();
    return false;
  }
}
