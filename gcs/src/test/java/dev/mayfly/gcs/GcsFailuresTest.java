package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.auth.Retryable;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class GcsFailuresTest {
  private static final Url AT = Url.of("gs://lab/out/a");

  /** What the library for logins throws when the place that gives tokens refuses. */
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
    return GcsFailures.of(AT, new StorageException(code, message, reason, null));
  }

  @Test
  void refusedLoginIsNamedAndPassingFaultIsNot() {
    var refused =
        new StorageException(0, "Error getting token", new TokenRefused("invalid_grant", false));
    var passing = new StorageException(0, "Error getting token", new TokenRefused("503", true));

    assertThat(GcsFailures.of(AT, refused))
        .isInstanceOf(MissingPermission.class)
        .hasMessageContaining("gcloud auth application-default login");
    assertThat(GcsFailures.of(AT, passing))
        .isInstanceOf(Unavailable.class)
        .isNotInstanceOf(MissingPermission.class);
  }

  @Test
  void aProjectThatMayNotBeChargedHasItsRemedy() {
    var refused =
        failure(
            403,
            "forbidden",
            "Caller does not have required permission to use project lab. Grant the caller a role"
                + " with the serviceusage.services.use permission");

    assertThat(refused)
        .isInstanceOf(MissingPermission.class)
        .hasMessageContaining("login --disable-quota-project");
  }

  @Test
  void damagedBytesAreSentAgain() {
    assertThat(
            failure(
                400,
                "invalid",
                "Provided CRC32C \"AAAAAA==\" doesn't match calculated CRC32C \"BAAAAA==\"."))
        .isInstanceOf(Unavailable.class);
    assertThat(failure(400, "invalid", "Disallowed object name")).isInstanceOf(Invalid.class);
  }

  @Test
  void keptObjectIsNoLackOfRights() {
    assertThat(
            failure(
                403,
                "retentionPolicyNotMet",
                "Object 'lab/out/a' is subject to bucket's retention policy and cannot be deleted or overwritten until 2027-01-01"))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("retention policy")
        .message()
        .doesNotContain("grant");
    assertThat(failure(403, "forbidden", "x does not have storage.objects.create access"))
        .isInstanceOf(MissingPermission.class)
        .hasMessageContaining("grant");
    assertThat(failure(403, "rateLimitExceeded", "slow down")).isInstanceOf(Unavailable.class);
  }

  @Test
  void bucketThatLetsItsUsersPayIsNamed() {
    assertThat(
            failure(
                400, "required", "Bucket is a requester pays bucket but no user project provided."))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("GOOGLE_CLOUD_PROJECT");
  }
}
