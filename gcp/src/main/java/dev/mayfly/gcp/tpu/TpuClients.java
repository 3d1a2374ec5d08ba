package dev.mayfly.gcp.tpu;

import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.StatusCode;
import com.google.api.gax.rpc.UnaryCallSettings;
import com.google.cloud.tpu.v2.TpuClient;
import com.google.cloud.tpu.v2.stub.TpuStubSettings;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.LazyClient;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Google's client, created at first use, so that a function without TPUs starts without it. */
final class TpuClients {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final RetrySettings READ =
      RetrySettings.newBuilder()
          .setInitialRetryDelayDuration(Duration.ofMillis(200))
          .setRetryDelayMultiplier(2)
          .setMaxRetryDelayDuration(Duration.ofSeconds(2))
          .setInitialRpcTimeoutDuration(LIMIT)
          .setRpcTimeoutMultiplier(1)
          .setMaxRpcTimeoutDuration(LIMIT)
          .setTotalTimeoutDuration(LIMIT)
          .build();

  private final Optional<EndpointOverride> endpointOverride;
  private final LazyClient<TpuClient> client =
      new LazyClient<>("Cloud TPU", () -> TpuClient.create(settings().build().createStub()));

  TpuClients(Optional<EndpointOverride> endpointOverride) {
    this.endpointOverride = endpointOverride;
  }

  TpuClient tpu() {
    return client.get();
  }

  private TpuStubSettings.Builder settings() {
    var builder = TpuStubSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureGrpc(builder));
    // Never retry creates and deletes here: the next reconciliation repeats them after observing.
    builder.createNodeSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.deleteNodeSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.createQueuedResourceSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.deleteQueuedResourceSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    retry(builder.getNodeSettings());
    retry(builder.getQueuedResourceSettings());
    builder
        .listQueuedResourcesSettings()
        .setRetrySettings(READ)
        .setRetryableCodes(Set.of(StatusCode.Code.UNAVAILABLE));
    builder
        .listNodesSettings()
        .setRetrySettings(READ)
        .setRetryableCodes(Set.of(StatusCode.Code.UNAVAILABLE));
    return builder;
  }

  /** By default the client retries no Cloud TPU call. */
  private static void retry(UnaryCallSettings.Builder<?, ?> call) {
    call.setRetrySettings(READ).setRetryableCodes(StatusCode.Code.UNAVAILABLE);
  }
}
