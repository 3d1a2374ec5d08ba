package dev.mayfly.local.http;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.access.AccessLevel;

/**
 * Sends every request whose path starts with {@code prefix} to {@code handler}; the longest prefix
 * wins. The handler gets the whole path and runs concurrently, each call on its own virtual thread.
 *
 * @param prefix starts with a slash, such as {@code /storage/v1}
 * @param access the credentials that a call needs
 */
public record Route(String prefix, HttpHandler handler, AccessLevel access) {
  /** A route for the owner only. */
  public Route(String prefix, HttpHandler handler) {
    this(prefix, handler, AccessLevel.OWNER);
  }

  public Route {
    if (!prefix.startsWith("/")) {
      throw new IllegalArgumentException("Route prefix '" + prefix + "' must start with a slash");
    }
  }
}
