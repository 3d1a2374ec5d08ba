package dev.mayfly.gcp;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One of Google's clients, created at first use, so that a function that does not need it starts
 * without it. Thread-safe; all callers get the same client.
 */
public final class LazyClient<C> {
  private final String service;
  private final ClientFactory<C> clientFactory;
  private @Nullable C client;

  /**
   * @param service the service's name, for users
   */
  public LazyClient(String service, ClientFactory<C> clientFactory) {
    this.service = service;
    this.clientFactory = clientFactory;
  }

  /** Creates the client. */
  public interface ClientFactory<C> {
    C make() throws IOException;
  }

  /** Throws {@link UnavailableException} if it cannot be created; the next call tries again. */
  public synchronized C get() {
    var made = client;
    if (made == null) {
      try {
        made = clientFactory.make();
      } catch (IOException e) {
        throw new UnavailableException("Cannot connect to " + service + ": " + e.getMessage(), e);
      }
      client = made;
    }
    return made;
  }
}
