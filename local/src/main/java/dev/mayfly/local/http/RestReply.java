package dev.mayfly.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/** Where a call's answer goes. */
interface RestReply {
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
  static RestReply of(HttpExchange exchange) {
    return new RestReply() {
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

  /** A lost answer: the call's handler works and writes as usual, and the caller gets nothing. */
  static RestReply lost() {
    return new BufferedReply(OutputStream.nullOutputStream());
  }
}
