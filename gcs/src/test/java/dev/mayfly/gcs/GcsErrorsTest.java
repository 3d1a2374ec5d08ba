package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.auth.Retryable;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GcsErrorsTest {
  private static final ObjectUrl AT = ObjectUrl.of("gs://lab/out/a");

  /** Thrown by the login library when the token endpoint refuses. */
  private static final class TokenRefused extends IOException implements Retryable {
    private static final long serialVersionUID = 1;
    private final boolean passing;

    TokenRefused(String message, boolean passing) {
      super(message);
      this.passing = passing;
    }

    @Override
    public boolean isRetryable() {
      return passing;
    }

    @Override
    public int getRetryCount() {
      return 0;
    }
  }

  private static MayflyException failure(int code, String reason, String message) {
    return GcsErrors.of(AT, new StorageException(code, message, reason, null));
  }

  @Test
  void refusedLoginIsNamedUnlikeTransientFault() {
    var refused =
        new StorageException(0, "Error getting token", new TokenRefused("invalid_grant", false));
    var passing = new StorageException(0, "Error getting token", new TokenRefused("503", true));

    assertThat(GcsErrors.of(AT, refused))
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("gcloud auth application-default login");
    assertThat(GcsErrors.of(AT, passing))
        .isInstanceOf(UnavailableException.class)
        .isNotInstanceOf(MissingPermissionException.class);
  }

  @Test
  void deniedPermissionIsNamedFirst() {
    var refused =
        failure(
            403,
            "forbidden",
            "agent@lab.iam.gserviceaccount.com does not have storage.objects.delete access to the"
                + " Google Cloud Storage object. Permission 'storage.objects.delete' denied on"
                + " resource (or it may not exist).");

    assertThat(refused)
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageStartingWith(
            "storage.objects.delete is denied on "
                + AT
                + ": delete it yourself, or name its folder");
  }

  @Test
  void unchargeableProjectHasRemedy() {
    var refused =
        failure(
            403,
            "forbidden",
            "Caller does not have required permission to use project lab. Grant the caller a role"
                + " with the serviceusage.services.use permission");

    assertThat(refused)
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("login --disable-quota-project");
  }

  @Test
  void damagedBytesAreSentAgain() {
    assertThat(
            failure(
                400,
                "invalid",
                "Provided CRC32C \"AAAAAA==\" doesn't match calculated CRC32C \"BAAAAA==\"."))
        .isInstanceOf(UnavailableException.class);
    assertThat(failure(400, "invalid", "Disallowed object name"))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void retainedObjectIsNotDenied() {
    assertThat(
            failure(
                403,
                "retentionPolicyNotMet",
                "Object 'lab/out/a' is subject to bucket's retention policy and cannot be deleted or overwritten until 2027-01-01"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("retention policy")
        .message()
        .doesNotContain("grant");
    assertThat(failure(403, "forbidden", "x does not have storage.objects.create access"))
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("grant");
    assertThat(failure(403, "rateLimitExceeded", "slow down"))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void requesterPaysBucketIsNamed() {
    assertThat(
            failure(
                400, "required", "Bucket is a requester pays bucket but no user project provided."))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("GOOGLE_CLOUD_PROJECT");
  }
}
