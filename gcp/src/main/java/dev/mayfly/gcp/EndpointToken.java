package dev.mayfly.gcp;

import com.google.auth.Credentials;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.proof.ProvenServers;
import dev.mayfly.wire.proof.ServerProof;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors.CheckedForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The token that an endpoint gets with each call. A server of a laptop cloud has to prove first
 * that it is one.
 *
 * @param address as in {@link EndpointOverride}
 */
record EndpointToken(String address, String token) {
  private static final String AUTHORIZATION = "authorization";
  private static final Metadata.Key<String> KEY =
      Metadata.Key.of(AUTHORIZATION, Metadata.ASCII_STRING_MARSHALLER);

  private String value() {
    return "Bearer " + token;
  }

  /** For clients over HTTP. */
  Credentials credentials() {
    return new Shown(this);
  }

  /** For clients over gRPC. */
  ClientInterceptor interceptor() {
    return new ClientInterceptor() {
      @Override
      public <Q, R> ClientCall<Q, R> interceptCall(
          MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new CheckedForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          protected void checkedStart(Listener<R> listener, Metadata headers)
              throws StatusException {
            prove(next);
            headers.put(KEY, value());
            delegate().start(listener, headers);
          }
        };
      }
    };
  }

  private void prove(Channel channel) throws StatusException {
    if (!ServerProof.isLaptopToken(token)) return;
    try {
      ProvenServers.shared().require(address, token, ProofCall.through(channel));
    } catch (UnavailableException foreign) {
      throw Status.UNAVAILABLE
          .withDescription(foreign.getMessage())
          .withCause(foreign)
          .asException();
    }
  }

  private static final class Shown extends Credentials {
    private static final long serialVersionUID = 1;

    private final transient EndpointToken endpointToken;

    private Shown(EndpointToken endpointToken) {
      this.endpointToken = endpointToken;
    }

    @Override
    public String getAuthenticationType() {
      return "bearer";
    }

    /** Called for each call. */
    @Override
    public Map<String, List<String>> getRequestMetadata(URI uri) throws IOException {
      ProvenServers.shared().connect(endpointToken.address(), endpointToken.token());
      return Map.of(AUTHORIZATION, List.of(endpointToken.value()));
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
      // The token does not expire.
    }
  }

  /** Omits the token, which must not be logged. */
  @Override
  public String toString() {
    return address;
  }
}
