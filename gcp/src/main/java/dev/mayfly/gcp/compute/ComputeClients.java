package dev.mayfly.gcp.compute;

import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.PagedCallSettings;
import com.google.api.gax.rpc.UnaryCallSettings;
import com.google.cloud.compute.v1.AddressesClient;
import com.google.cloud.compute.v1.AddressesSettings;
import com.google.cloud.compute.v1.DisksClient;
import com.google.cloud.compute.v1.DisksSettings;
import com.google.cloud.compute.v1.InstancesClient;
import com.google.cloud.compute.v1.InstancesSettings;
import com.google.cloud.compute.v1.ResourcePoliciesClient;
import com.google.cloud.compute.v1.ResourcePoliciesSettings;
import com.google.cloud.compute.v1.ZoneOperationsClient;
import com.google.cloud.compute.v1.ZoneOperationsSettings;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.LazyClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Google's clients, created at first use, so that a function without machines starts without them.
 */
final class ComputeClients {
  /** The clients' default limit is ten minutes, longer than a function lives. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final String SERVICE = "Compute Engine";

  private final Optional<EndpointOverride> endpointOverride;
  private final LazyClient<InstancesClient> instances =
      new LazyClient<>(SERVICE, () -> InstancesClient.create(instancesSettings()));
  private final LazyClient<ZoneOperationsClient> operations =
      new LazyClient<>(SERVICE, () -> ZoneOperationsClient.create(operationsSettings()));
  private final LazyClient<ResourcePoliciesClient> policies =
      new LazyClient<>(SERVICE, () -> ResourcePoliciesClient.create(policiesSettings()));
  private final LazyClient<DisksClient> disks =
      new LazyClient<>(SERVICE, () -> DisksClient.create(disksSettings()));
  private final LazyClient<AddressesClient> addresses =
      new LazyClient<>(SERVICE, () -> AddressesClient.create(addressesSettings()));

  ComputeClients(Optional<EndpointOverride> endpointOverride) {
    this.endpointOverride = endpointOverride;
  }

  InstancesClient instances() {
    return instances.get();
  }

  ZoneOperationsClient operations() {
    return operations.get();
  }

  ResourcePoliciesClient policies() {
    return policies.get();
  }

  DisksClient disks() {
    return disks.get();
  }

  AddressesClient addresses() {
    return addresses.get();
  }

  private DisksSettings disksSettings() throws IOException {
    var builder = DisksSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureHttp(builder));
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    limit(builder.aggregatedListSettings());
    return builder.build();
  }

  private AddressesSettings addressesSettings() throws IOException {
    var builder = AddressesSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureHttp(builder));
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    limit(builder.aggregatedListSettings());
    return builder.build();
  }

  private ResourcePoliciesSettings policiesSettings() throws IOException {
    var builder = ResourcePoliciesSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureHttp(builder));
    builder.insertSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    limit(builder.aggregatedListSettings());
    return builder.build();
  }

  private InstancesSettings instancesSettings() throws IOException {
    var builder = InstancesSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureHttp(builder));
    // Never retry inserts and deletes here: the next reconciliation repeats them after observing.
    builder.insertSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    limit(builder.getSettings());
    limit(builder.aggregatedListSettings());
    return builder.build();
  }

  private ZoneOperationsSettings operationsSettings() throws IOException {
    var builder = ZoneOperationsSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureHttp(builder));
    limit(builder.getSettings());
    return builder.build();
  }

  /** Keeps the client's retries, but limits their total time. */
  private static void limit(UnaryCallSettings.Builder<?, ?> call) {
    call.setRetrySettings(limited(call.getRetrySettings()));
  }

  private static void limit(PagedCallSettings.Builder<?, ?, ?> call) {
    call.setRetrySettings(limited(call.getRetrySettings()));
  }

  private static RetrySettings limited(RetrySettings settings) {
    return settings.toBuilder()
        .setInitialRpcTimeoutDuration(LIMIT)
        .setMaxRpcTimeoutDuration(LIMIT)
        .setTotalTimeoutDuration(LIMIT)
        .build();
  }
}
