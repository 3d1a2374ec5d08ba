package dev.mayfly.gcp.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.compute.v1.Error;
import com.google.cloud.compute.v1.Errors;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Fleet.Refusal.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Error codes of Compute Engine, observed or documented, and their remedies. */
class ComputeErrorCodesTest {
  @ParameterizedTest
  @CsvSource({
    "ZONE_RESOURCE_POOL_EXHAUSTED, CAPACITY",
    "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS, CAPACITY",
    "REGION_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS, CAPACITY",
    "insufficientCapacity, CAPACITY",
    "resource_availability, CAPACITY",
    "stockout, CAPACITY",
    "GPU_STOCKOUT, CAPACITY",
    "QUOTA_EXCEEDED, QUOTA",
    "quotaExceeded, QUOTA",
    "limitExceeded, QUOTA",
    "rateLimitExceeded, RATE",
    "userRateLimitExceeded, RATE",
    "OPERATION_RATE_EXCEEDED, RATE",
    "RESOURCE_NOT_READY, RATE",
    "resourceNotReady, RATE",
    "INVALID_FIELD_VALUE, INVALID",
    "invalid, INVALID",
    "INVALID_USAGE, INVALID",
    "RESOURCE_NOT_FOUND, INVALID",
    "notFound, INVALID",
    "forbidden, DENIED",
    "PERMISSIONS_ERROR, DENIED",
    "accessNotConfigured, DENIED",
    "SERVICE_ACCOUNT_ACCESS_DENIED, DENIED",
    "backendError, TRANSIENT",
    "internalError, TRANSIENT",
    "UNSUPPORTED_OPERATION, TRANSIENT",
    "WORD_OF_TOMORROW, TRANSIENT"
  })
  void codesAreClassifiedByRemedy(String word, Kind kind) {
    assertThat(ComputeErrorCodes.kind(word)).isEqualTo(kind);
  }

  /** A missing permission and a rate limit have the same status; only the reason differs. */
  @ParameterizedTest
  @CsvSource({
    "403, rateLimitExceeded, RATE",
    "403, quotaExceeded, QUOTA",
    "403, forbidden, DENIED",
    "403, '', DENIED",
    "429, '', RATE",
    "429, rateLimitExceeded, RATE",
    "503, insufficientCapacity, CAPACITY",
    "503, ZONE_RESOURCE_POOL_EXHAUSTED, CAPACITY",
    "400, invalid, INVALID",
    "400, WORD_OF_TOMORROW, INVALID",
    "404, notFound, INVALID",
    "412, conditionNotMet, INVALID"
  })
  void refusedCallHasAnAnswer(int status, String reason, Kind kind) {
    assertThat(new ComputeApiError(status, reason, "m").orderRefusal())
        .map(Refusal::kind)
        .contains(kind);
  }

  /**
   * The order may have been accepted, so it is searched for and repeated with the same request id.
   */
  @ParameterizedTest
  @CsvSource({
    "0, ''",
    "401, authError",
    "500, internalError",
    "502, ''",
    "503, backendError",
    "504, ''"
  })
  void failedCallHasNoAnswer(int status, String reason) {
    assertThat(new ComputeApiError(status, reason, "m").orderRefusal()).isEmpty();
  }

  @Test
  void operationErrorPrecedesHttpStatus() {
    var error = Errors.newBuilder().setCode("QUOTA_EXCEEDED").setMessage("CPUS: 24");
    var refused =
        Operation.newBuilder()
            .setHttpErrorStatusCode(403)
            .setError(Error.newBuilder().addErrors(error))
            .build();
    var failed =
        Operation.newBuilder().setHttpErrorStatusCode(503).setHttpErrorMessage("away").build();

    assertThat(ComputeErrorCodes.of(refused))
        .contains(new Refusal(Kind.QUOTA, "QUOTA_EXCEEDED", "CPUS: 24"));
    assertThat(ComputeErrorCodes.of(failed))
        .contains(new Refusal(Kind.TRANSIENT, "HTTP 503", "away"));
    assertThat(ComputeErrorCodes.of(Operation.getDefaultInstance())).isEmpty();
  }

  @Test
  void unknownErrorCodesAreCountedUpToLimit() {
    for (var i = 0; i < 300; i++) end("NEW_WORD_" + i % 150);
    end("QUOTA_EXCEEDED");

    assertThat(ComputeErrorCodes.unknown())
        .hasSizeLessThanOrEqualTo(100)
        .containsEntry("NEW_WORD_0", 2L)
        .doesNotContainKey("QUOTA_EXCEEDED");
  }

  private static void end(String word) {
    var error = Error.newBuilder().addErrors(Errors.newBuilder().setCode(word));
    assertThat(ComputeErrorCodes.of(Operation.newBuilder().setError(error).build())).isPresent();
  }
}
