package dev.mayfly.gcs;

import com.google.auth.Credentials;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The token for an endpoint other than Google's. A server of a laptop cloud has to prove first that
 * it is one.
 */
final class EndpointCredentials extends Credentials {
  private static final long serialVersionUID = 1;

  private final String endpoint;
  private final transient Supplier<String> token;

  EndpointCredentials(String endpoint, Supplier<String> token) {
    this.endpoint = endpoint;
    this.token = token;
  }

  @Override
  public String getAuthenticationType() {
    return "bearer";
  }

  /** Called for each call. */
  @Override
  public Map<String, List<String>> getRequestMetadata(URI uri) throws IOException {
    var shown = token.get();
    ProvenServers.shared().connect(endpoint, shown);
    return Map.of("Authorization", List.of("Bearer " + shown));
  }

  @Override
  public boolean hasRequestMetadata() {
    return true;
  }

  @Override
  public boolean hasRequestMetadataOnly() {
    return true;
  }

  @Override
  public void refresh() {
    // The supplier gives what is valid now.
  }
}
