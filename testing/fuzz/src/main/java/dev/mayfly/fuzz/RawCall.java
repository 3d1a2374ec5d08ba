package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.Headers;
import dev.mayfly.local.http.BufferedReply;
import dev.mayfly.local.http.RestCall;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * An HTTP request built from bytes: a line with method and address, headers, an empty line, the
 * body. The response is counted and discarded.
 */
record RawCall(RestCall restCall, BufferedReply reply) {
  /** Empty for bytes that the JDK's server itself refuses. */
  static Optional<RawCall> of(byte[] bytes) {
    var text = new String(bytes, ISO_8859_1);
    var end = text.indexOf("\n\n");
    var head = (end < 0 ? text : text.substring(0, end)).split("\n", -1);
    var first = head[0].split(" ", 2);
    if (first.length < 2 || !first[0].matches("[A-Z]{1,10}") || !first[1].startsWith("/"))
      return Optional.empty();
    var body = end < 0 ? new byte[0] : text.substring(end + 2).getBytes(ISO_8859_1);
    var reply = new BufferedReply(OutputStream.nullOutputStream());
    try {
      var headers = new Headers();
      for (var i = 1; i < head.length; i++) {
        var colon = head[i].indexOf(':');
        if (colon > 0)
          headers.add(head[i].substring(0, colon), head[i].substring(colon + 1).strip());
      }
      var call =
          new RestCall(first[0], new URI(first[1]), headers, new ByteArrayInputStream(body), reply);
      return Optional.of(new RawCall(call, reply));
    } catch (URISyntaxException | IllegalArgumentException refused) {
      return Optional.empty();
    }
  }
}
