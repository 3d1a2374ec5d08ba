package dev.mayfly.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/** Where a call's answer goes. */
interface Reply {
  /** The headers, which {@link #begin} sends. */
  Headers headers();

  /**
   * Sends status and headers.
   *
   * @param length the length of the body; 0 if unknown, -1 for no body
   * @return takes the body
   */
  OutputStream begin(int status, long length) throws IOException;

  /** The answer of a call of the JDK's server. */
  static Reply of(HttpExchange exchange) {
    return new Reply() {
      @Override
      public Headers headers() {
        return exchange.getResponseHeaders();
      }

      @Override
      public OutputStream begin(int status, long length) throws IOException {
        exchange.sendResponseHeaders(status, length);
        return exchange.getResponseBody();
      }
    };
  }

  /** An answer that nobody gets: the call's handler does its work and writes as usual. */
  static Reply lost() {
    return new BufferedReply(OutputStream.nullOutputStream());
  }
}
