package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Error;
import com.google.cloud.compute.v1.ErrorDetails;
import com.google.cloud.compute.v1.ErrorInfo;
import com.google.cloud.compute.v1.Errors;
import com.google.cloud.compute.v1.Operation;
import java.util.Locale;
import java.util.Map;

/**
 * Why an accepted operation failed.
 *
 * @param httpStatus the operation's HTTP status; 0 for none
 * @param reason the reason in the details, for programs
 */
record OperationError(
    String code, String message, int httpStatus, String reason, Map<String, String> metadata) {
  static OperationError outOfStock(String zone, String machineType) {
    return new OperationError(
        "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS",
        "The zone '%s' does not have enough resources available to fulfill the request. (resource type:compute)"
            .formatted(zone),
        503,
        "resource_availability",
        Map.of("vmType", machineType, "attachment", "", "zone", zone, "zonesAvailable", ""));
  }

  static OperationError overQuota(String metric, String region, int limit) {
    return new OperationError(
        "QUOTA_EXCEEDED",
        "Quota '%s' exceeded.  Limit: %d.0 in region %s."
            .formatted(metric.toUpperCase(Locale.ROOT), limit, region),
        403,
        "QUOTA_EXCEEDED",
        Map.of(
            "metricName", "compute.googleapis.com/" + metric,
            "limitName", metric.toUpperCase(Locale.ROOT) + "-per-project-region"));
  }

  /** The same error in the service's shortest form. */
  OperationError bare() {
    return new OperationError(code.replace("_WITH_DETAILS", ""), message, 0, reason, metadata);
  }

  static OperationError internal(String message) {
    return new OperationError("INTERNAL_ERROR", message, 500, "INTERNAL_ERROR", Map.of());
  }

  void writeTo(Operation.Builder operation) {
    var info =
        ErrorInfo.newBuilder()
            .setReason(reason)
            .setDomain("compute.googleapis.com")
            .putAllMetadatas(metadata);
    if (httpStatus != 0) {
      operation
          .setHttpErrorStatusCode(httpStatus)
          .setHttpErrorMessage(httpStatus == 503 ? "SERVICE UNAVAILABLE" : "FORBIDDEN");
    }
    operation.setError(
        Error.newBuilder()
            .addErrors(
                Errors.newBuilder()
                    .setCode(code)
                    .setMessage(message)
                    .addErrorDetails(ErrorDetails.newBuilder().setErrorInfo(info))));
  }
}
