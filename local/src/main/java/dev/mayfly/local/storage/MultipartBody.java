package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * A multipart body. Clients end lines with CRLF, as specified, or with LF, and write the boundary
 * bare or in single or double quotes.
 */
record MultipartBody(List<Part> parts) {
  private static final Pattern BOUNDARY =
      Pattern.compile("boundary=(?:\"([^\"]+)\"|'([^']+)'|([^;\\s]+))", Pattern.CASE_INSENSITIVE);

  /**
   * @param headers as received, a line each
   */
  record Part(String headers, byte[] body, int from, int to) {
    Optional<String> header(String name) {
      for (var line : headers.split("\r?\n"))
        if (line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          return Optional.of(line.substring(line.indexOf(':') + 1).strip());
      return Optional.empty();
    }

    InputStream content() {
      return new ByteArrayInputStream(body, from, to - from);
    }

    byte[] bytes() {
      return Arrays.copyOfRange(body, from, to);
    }
  }

  /** Throws {@link ApiError} for a body that cannot be parsed. */
  static MultipartBody of(String contentType, byte[] body) {
    var matcher = BOUNDARY.matcher(contentType);
    if (!matcher.find())
      throw malformed("its content type '" + contentType + "' names no boundary");
    for (var group = 1; group <= 3; group++)
      if (matcher.group(group) != null) return cut(body, "--" + matcher.group(group));
    throw malformed("its boundary is empty");
  }

  /** The object's resource as JSON, and its content. */
  Part content() {
    two();
    return parts.getLast();
  }

  ObjectNode resource() {
    two();
    return RestCall.object(parts.getFirst().bytes());
  }

  private void two() {
    if (parts.size() != 2) throw malformed("it has " + parts.size() + " parts, and needs two");
  }

  private static MultipartBody cut(byte[] body, String mark) {
    var begin = mark.getBytes(ISO_8859_1);
    var start = find(body, begin, 0);
    if (start < 0) throw malformed("its boundary " + mark + " is not in it");
    var line = start + begin.length;
    var end = line < body.length && body[line] == '\r' ? "\r\n" : "\n";
    // A line break belongs to the delimiter after it.
    var next = (end + mark).getBytes(ISO_8859_1);
    var parts = new ArrayList<Part>();
    for (var from = line; ; ) {
      var to = find(body, next, from);
      if (to < 0) return new MultipartBody(parts);
      parts.add(part(body, from, to, end));
      from = to + next.length;
    }
  }

  /**
   * The part between two delimiters: the rest of the delimiter's line, headers, a blank line and
   * content.
   */
  private static Part part(byte[] body, int from, int to, String end) {
    var blank = find(body, (end + end).getBytes(ISO_8859_1), from);
    if (blank < 0 || blank > to) throw malformed("the headers of a part do not end");
    var headers = new String(body, from, blank - from, ISO_8859_1).strip();
    // With empty content, one line break ends the headers and begins the delimiter.
    return new Part(headers, body, Math.min(to, blank + 2 * end.length()), to);
  }

  private static int find(byte[] body, byte[] what, int from) {
    search:
    for (var i = from; i <= body.length - what.length; i++) {
      for (var j = 0; j < what.length; j++) if (body[i + j] != what[j]) continue search;
      return i;
    }
    return -1;
  }

  private static ApiError malformed(String why) {
    return ApiError.invalid("The multipart body cannot be read: " + why);
  }
}
