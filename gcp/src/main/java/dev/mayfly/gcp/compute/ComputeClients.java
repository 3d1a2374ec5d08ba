package dev.mayfly.gcp.compute;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.retrying.RetrySettings;
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
import dev.mayfly.core.error.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Google's clients, made when first used: a function that needs no machine starts without them. */
final class ComputeClients {
  /** The clients' own limit is ten minutes, longer than a function lives. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Optional<String> endpoint;
  private @Nullable InstancesClient instances;
  private @Nullable ZoneOperationsClient operations;
  private @Nullable ResourcePoliciesClient policies;
  private @Nullable DisksClient disks;
  private @Nullable AddressesClient addresses;

  ComputeClients(Optional<String> endpoint) {
    this.endpoint = endpoint;
  }

  synchronized InstancesClient instances() {
    var made = instances;
    if (made == null) {
      try {
        made = InstancesClient.create(instancesSettings());
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to Compute Engine: " + e.getMessage(), e);
      }
      instances = made;
    }
    return made;
  }

  synchronized ZoneOperationsClient operations() {
    var made = operations;
    if (made == null) {
      try {
        made = ZoneOperationsClient.create(operationsSettings());
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to Compute Engine: " + e.getMessage(), e);
      }
      operations = made;
    }
    return made;
  }

  synchronized ResourcePoliciesClient policies() {
    var made = policies;
    if (made == null) {
      try {
        made = ResourcePoliciesClient.create(policiesSettings());
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to Compute Engine: " + e.getMessage(), e);
      }
      policies = made;
    }
    return made;
  }

  synchronized DisksClient disks() {
    var made = disks;
    if (made == null) {
      try {
        made = DisksClient.create(disksSettings());
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to Compute Engine: " + e.getMessage(), e);
      }
      disks = made;
    }
    return made;
  }

  synchronized AddressesClient addresses() {
    var made = addresses;
    if (made == null) {
      try {
        made = AddressesClient.create(addressesSettings());
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to Compute Engine: " + e.getMessage(), e);
      }
      addresses = made;
    }
    return made;
  }

  private DisksSettings disksSettings() throws IOException {
    var builder = DisksSettings.newBuilder();
    endpoint.ifPresent(
        url -> builder.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create()));
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder
        .aggregatedListSettings()
        .setRetrySettings(limited(builder.aggregatedListSettings().getRetrySettings()));
    return builder.build();
  }

  private AddressesSettings addressesSettings() throws IOException {
    var builder = AddressesSettings.newBuilder();
    endpoint.ifPresent(
        url -> builder.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create()));
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder
        .aggregatedListSettings()
        .setRetrySettings(limited(builder.aggregatedListSettings().getRetrySettings()));
    return builder.build();
  }

  private ResourcePoliciesSettings policiesSettings() throws IOException {
    var builder = ResourcePoliciesSettings.newBuilder();
    endpoint.ifPresent(
        url -> builder.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create()));
    builder.insertSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    return builder.build();
  }

  private InstancesSettings instancesSettings() throws IOException {
    var builder = InstancesSettings.newBuilder();
    endpoint.ifPresent(
        url -> builder.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create()));
    // An insert or a delete is repeated by the next round, which looks first; never by the client.
    builder.insertSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.deleteSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.getSettings().setRetrySettings(limited(builder.getSettings().getRetrySettings()));
    builder
        .aggregatedListSettings()
        .setRetrySettings(limited(builder.aggregatedListSettings().getRetrySettings()));
    return builder.build();
  }

  private ZoneOperationsSettings operationsSettings() throws IOException {
    var builder = ZoneOperationsSettings.newBuilder();
    endpoint.ifPresent(
        url -> builder.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create()));
    builder.getSettings().setRetrySettings(limited(builder.getSettings().getRetrySettings()));
    return builder.build();
  }

  private static RetrySettings limited(RetrySettings settings) {
    return settings.toBuilder()
        .setInitialRpcTimeoutDuration(LIMIT)
        .setMaxRpcTimeoutDuration(LIMIT)
        .setTotalTimeoutDuration(LIMIT)
        .build();
  }
}
