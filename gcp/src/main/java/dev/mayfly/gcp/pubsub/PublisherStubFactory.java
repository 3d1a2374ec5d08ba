package dev.mayfly.gcp.pubsub;

import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStubSettings;
import dev.mayfly.gcp.EndpointOverride;
import java.io.IOException;
import java.time.Duration;

/** Connects to Pub/Sub. */
final class PublisherStubFactory {
  /** The client's default limit is ten minutes, longer than any function may take. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static final Duration ATTEMPT = Duration.ofSeconds(4);

  private PublisherStubFactory() {}

  static PublisherStub open(PubSubSettings settings) throws IOException {
    var builder = PublisherStubSettings.newBuilder();
    settings.emulator().ifPresent(host -> new EndpointOverride(host).configureGrpc(builder));
    var publish = builder.publishSettings();
    publish.setBatchingSettings(
        publish.getBatchingSettings().toBuilder().setIsEnabled(false).build());
    publish.setRetrySettings(
        publish.getRetrySettings().toBuilder()
            .setInitialRpcTimeoutDuration(ATTEMPT)
            .setMaxRpcTimeoutDuration(ATTEMPT)
            .setTotalTimeoutDuration(LIMIT)
            .build());
    return builder.build().createStub();
  }
}
