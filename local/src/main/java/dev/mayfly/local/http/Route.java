package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.access.AccessLevel;

/**
 * Sends every request whose path starts with {@code prefix} to {@code handler}; the longest prefix
 * wins. The handler sees the whole path and runs on a virtual thread of its own, many at a time.
 *
 * @param prefix starts with a slash, such as {@code /storage/v1}
 * @param access what a call must show
 */
public record Route(String prefix, HttpHandler handler, AccessLevel access) {
  /** For the owner alone. */
  public Route(String prefix, HttpHandler handler) {
    this(prefix, handler, AccessLevel.OWNER);
  }

  public Route {
    if (!prefix.startsWith("/")) {
      throw new IllegalArgumentException("Route prefix '" + prefix + "' must start with a slash");
    }
  }
}
