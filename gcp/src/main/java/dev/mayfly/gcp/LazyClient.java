package dev.mayfly.gcp;

import dev.mayfly.core.error.Unavailable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One of Google's clients, made when it is first used: a function that does not need it starts
 * without it. For any thread; all get the same one.
 */
public final class LazyClient<C> {
  private final String service;
  private final Making<C> making;
  private @Nullable C client;

  /**
   * @param service what it is a client of, for people
   */
  public LazyClient(String service, Making<C> making) {
    this.service = service;
    this.making = making;
  }

  /** Makes the client. */
  public interface Making<C> {
    C make() throws IOException;
  }

  /** Throws {@link Unavailable} if it can't be made; the next call tries again. */
  public synchronized C get() {
    var made = client;
    if (made == null) {
      try {
        made = making.make();
      } catch (IOException e) {
        throw new Unavailable("Cannot connect to " + service + ": " + e.getMessage(), e);
      }
      client = made;
    }
    return made;
  }
}
