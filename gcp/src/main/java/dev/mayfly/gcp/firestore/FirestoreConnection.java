package dev.mayfly.gcp.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.FixedHeaderProvider;
import com.google.api.gax.rpc.StatusCode.Code;
import com.google.cloud.firestore.v1.FirestoreClient;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The connection, with a time limit for each call.
 *
 * <p>A commit is retried only if the answer says that nothing was written due to contention. The
 * client's own retries would resend a commit whose reply was lost, and report the conflict with
 * itself. A commit is given up after {@link #commit}, so that a grant does not take effect long
 * after its decision. An emulator is as slow as its busy machine, and gets more time.
 */
final class FirestoreConnection implements AutoCloseable {
  private static final Duration COMMIT = Duration.ofSeconds(4);
  private static final Duration READ = Duration.ofSeconds(8);
  private static final Duration EMULATED = Duration.ofSeconds(30);

  /** The pause before a commit is retried after contention. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(40);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(640);

  private static final Duration SLACK = Duration.ofMillis(500);
  private static final Duration ALIVE = Duration.ofSeconds(60);
  private static final int MESSAGE = 64 << 20;

  private final FirestoreSettings settings;
  private final FirestoreClient client;
  final Duration commit;
  final Duration read;

  FirestoreConnection(FirestoreSettings settings) {
    this.settings = settings;
    var emulated = settings.emulatorHost().isPresent();
    commit = emulated ? EMULATED : COMMIT;
    read = emulated ? EMULATED : READ;
    try {
      client = FirestoreClient.create(built());
    } catch (IOException e) {
      throw new UnavailableException(
          "no credentials for Firestore in project %s: %s; run `gcloud auth application-default login`"
              .formatted(settings.project(), e.getMessage()),
          e);
    }
  }

  private com.google.cloud.firestore.v1.FirestoreSettings built() throws IOException {
    var builder = com.google.cloud.firestore.v1.FirestoreSettings.newBuilder();
    builder.commitSettings().setRetryableCodes(Code.ABORTED).setRetrySettings(patient(commit));
    builder.batchGetDocumentsSettings().setSimpleTimeoutNoRetriesDuration(read);
    builder.runQuerySettings().setSimpleTimeoutNoRetriesDuration(read);
    builder.runAggregationQuerySettings().setSimpleTimeoutNoRetriesDuration(read);
    var prefix = DocumentNames.of(settings).database();
    var channel =
        com.google.cloud.firestore.v1.FirestoreSettings.defaultGrpcTransportProviderBuilder()
            .setMaxInboundMessageSize(MESSAGE);
    if (settings.emulatorHost().isPresent())
      emulated(builder, channel, settings.emulatorHost().get(), prefix);
    else {
      builder.setHeaderProvider(FixedHeaderProvider.create("google-cloud-resource-prefix", prefix));
      channel.setKeepAliveTimeDuration(ALIVE).setKeepAliveTimeoutDuration(Duration.ofSeconds(10));
    }
    return builder.setTransportChannelProvider(channel.build()).build();
  }

  /** Retries within the limit, with random pauses whose bound doubles. */
  private static RetrySettings patient(Duration limit) {
    return RetrySettings.newBuilder()
        .setInitialRetryDelayDuration(FIRST_PAUSE)
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(LONGEST_PAUSE)
        .setInitialRpcTimeoutDuration(limit)
        .setRpcTimeoutMultiplier(1)
        .setMaxRpcTimeoutDuration(limit)
        .setTotalTimeoutDuration(limit)
        .build();
  }

  /** The emulator treats a caller with this header as the owner. */
  private static void emulated(
      com.google.cloud.firestore.v1.FirestoreSettings.Builder builder,
      InstantiatingGrpcChannelProvider.Builder channel,
      String host,
      String prefix) {
    builder.setCredentialsProvider(NoCredentialsProvider.create());
    builder.setHeaderProvider(
        FixedHeaderProvider.create(
            Map.of("google-cloud-resource-prefix", prefix, "Authorization", "Bearer owner")));
    channel.setEndpoint(host).setChannelConfigurator(to -> to.usePlaintext());
  }

  FirestoreClient client() {
    return client;
  }

  /**
   * Waits for the answer within the limit. Passes {@link ApiException} on, for {@link #translate}.
   */
  <T> T await(ApiFuture<T> asked, Duration limit) {
    try {
      return asked.get(limit.plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException known) throw known;
      throw new UnavailableException("Firestore cannot be reached: " + e.getCause(), e);
    } catch (TimeoutException e) {
      asked.cancel(true);
      throw new UnavailableException("Firestore did not answer in " + limit.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      asked.cancel(true);
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while waiting for Firestore", e);
    }
  }

  /** Translates an error into one with a remedy; any other is a bug in Mayfly. */
  RuntimeException translate(ApiException e, String doing) {
    var text = doing + ": " + e.getMessage();
    return switch (code(e)) {
      case PERMISSION_DENIED ->
          new MissingPermissionException(
              "Firestore refuses "
                  + text
                  + "; grant the function's account roles/datastore.user in project "
                  + settings.project(),
              e);
      case UNAUTHENTICATED ->
          new UnavailableException(
              "Firestore did not accept the login of the function's account, " + text, e);
      case NOT_FOUND ->
          new UnavailableException(
              "project %s has no Firestore database %s (%s); apply the Terraform configuration"
                  .formatted(settings.project(), settings.database(), text),
              e);
      case FAILED_PRECONDITION ->
          new UnavailableException(
              "Firestore refuses "
                  + text
                  + "; an index may be missing or not ready: apply Terraform",
              e);
      case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED ->
          new IllegalStateException("Firestore refuses " + text, e);
      default -> new UnavailableException("Firestore cannot do it now, " + text, e);
    };
  }

  static Code code(ApiException e) {
    return e.getStatusCode().getCode();
  }

  @Override
  public void close() {
    client.close();
  }
}
