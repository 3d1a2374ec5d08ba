package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.Headers;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.BufferedReply;
import dev.mayfly.local.http.RestCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;

/** One call of a batch: its request is the text of a part, and its answer is written as text. */
record BatchedCall(RestCall restCall, BufferedReply reply, ByteArrayOutputStream content) {
  private static final String PREFIX = "/storage/v1/";

  /** Throws {@link ApiError} for a part that is not a request. */
  static BatchedCall of(MultipartBody.Part part, RestCall outer) {
    var text = new String(part.bytes(), ISO_8859_1).split("\r?\n\r?\n", 2);
    var lines = text[0].split("\r?\n", -1);
    var request = lines[0].split(" ");
    if (request.length < 2)
      throw ApiError.invalid(
          "A part of the batch does not begin with a request: '" + lines[0] + "'");
    var headers = new Headers();
    outer.header("Host").ifPresent(host -> headers.set("Host", host));
    for (var i = 1; i < lines.length; i++) {
      var colon = lines[i].indexOf(':');
      if (colon > 0)
        headers.add(lines[i].substring(0, colon).strip(), lines[i].substring(colon + 1).strip());
    }
    // A part without a credential of its own has the batch's.
    if (!headers.containsKey("Authorization"))
      outer.header("Authorization").ifPresent(token -> headers.set("Authorization", token));
    var body =
        new ByteArrayInputStream(text.length > 1 ? text[1].getBytes(ISO_8859_1) : new byte[0]);
    var content = new ByteArrayOutputStream();
    var reply = new BufferedReply(content);
    var call = new RestCall(request[0], resource(request[1]), headers, body, reply);
    return new BatchedCall(call, reply, content);
  }

  /** Some clients send the whole URL. */
  private static URI resource(String text) {
    try {
      var uri = new URI(text);
      var resource = uri.isAbsolute() ? new URI(text.substring(text.indexOf('/', 8))) : uri;
      if (resource.getRawPath() == null || !resource.getRawPath().startsWith(PREFIX))
        throw ApiError.invalid("A part of the batch names '" + text + "', not " + PREFIX + "…");
      return resource;
    } catch (URISyntaxException | IndexOutOfBoundsException e) {
      throw ApiError.invalid("A part of the batch names no resource: " + e.getMessage());
    }
  }

  /** Writes the reply as text, as its own connection would carry it. */
  void writeReply(ByteArrayOutputStream out) {
    var head =
        new StringBuilder(
            "HTTP/1.1 " + reply.status() + (reply.status() < 300 ? " OK" : " Error") + "\r\n");
    reply
        .headers()
        .forEach((name, values) ->
            values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n")));
    head.append("Content-Length: ").append(content.size()).append("\r\n\r\n");
    out.writeBytes(head.toString().getBytes(ISO_8859_1));
    out.writeBytes(content.toByteArray());
  }
}
