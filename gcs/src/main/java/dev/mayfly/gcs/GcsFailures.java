package dev.mayfly.gcs;

import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Url;
import java.util.Optional;

/** What Cloud Storage's refusals mean for those who can mend them. */
final class GcsFailures {
  private GcsFailures() {}

  static MayflyException of(Url url, StorageException e) {
    return switch (e.getCode()) {
      case 401 ->
          new Denied(
              url
                  + ": Cloud Storage does not know who asks; run `gcloud auth application-default login`",
              e);
      case 403 ->
          new Denied(
              url + ": " + e.getMessage() + "; grant the account the right on bucket " + url.root(),
              e);
      case 404 ->
          new Invalid(
              url.toString(),
              "there is no bucket " + url.root() + "; create it or correct its name");
      case 400 -> new Invalid(url.toString(), "Cloud Storage refuses it: " + e.getMessage());
      default ->
          new Unavailable(
              url + ": Cloud Storage did not answer as it should: " + e.getMessage(), e);
    };
  }

  /** A creation that was refused because an object is there, in whichever of its words. */
  static boolean saysExists(StorageException e) {
    return e.getCode() == 412
        || (e.getCode() == 403
            && String.valueOf(e.getMessage()).contains("storage.objects.delete"));
  }

  /** The client wraps the failures of its streams. */
  static Optional<StorageException> in(Throwable e) {
    for (var cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof StorageException s) return Optional.of(s);
    return Optional.empty();
  }
}
