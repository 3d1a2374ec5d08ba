package dev.mayfly.local.cloud.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** A body of two parts: the object's resource as JSON, and its content. */
record Multipart(ObjectNode resource, String contentType, byte[] body, int from, int to) {
  private static final Pattern BOUNDARY =
      Pattern.compile("boundary=(?:\"([^\"]+)\"|([^;\\s]+))", Pattern.CASE_INSENSITIVE);
  private static final byte[] BLANK_LINE = "\r\n\r\n".getBytes(ISO_8859_1);

  private record Part(String headers, int from, int to) {}

  static Multipart of(String contentType, byte[] body) {
    var matcher = BOUNDARY.matcher(contentType);
    if (!matcher.find())
      throw malformed("its content type '" + contentType + "' names no boundary");
    var boundary = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    var parts = parts(body, ("--" + boundary).getBytes(ISO_8859_1));
    if (parts.size() != 2) throw malformed("it has " + parts.size() + " parts, and needs two");
    var json = parts.getFirst();
    var resource = Call.object(java.util.Arrays.copyOfRange(body, json.from(), json.to()));
    var content = parts.getLast();
    return new Multipart(resource, type(content.headers()), body, content.from(), content.to());
  }

  InputStream content() {
    return new ByteArrayInputStream(body, from, to - from);
  }

  private static List<Part> parts(byte[] body, byte[] mark) {
    var parts = new ArrayList<Part>();
    var start = find(body, mark, 0);
    while (start >= 0) {
      var headers = start + mark.length;
      var next = find(body, mark, headers);
      if (next < 0) break;
      var blank = find(body, BLANK_LINE, headers);
      if (blank < 0 || blank > next) throw malformed("a part has no end of its headers");
      var content = blank + BLANK_LINE.length;
      // A line break belongs to the mark that follows it.
      var end = Math.max(content, next - 2);
      parts.add(new Part(new String(body, headers, blank - headers, ISO_8859_1), content, end));
      start = next;
    }
    return parts;
  }

  private static int find(byte[] body, byte[] what, int from) {
    search:
    for (var i = from; i <= body.length - what.length; i++) {
      for (var j = 0; j < what.length; j++) if (body[i + j] != what[j]) continue search;
      return i;
    }
    return -1;
  }

  private static String type(String headers) {
    for (var line : headers.split("\r\n"))
      if (line.toLowerCase(Locale.ROOT).startsWith("content-type:"))
        return line.substring(line.indexOf(':') + 1).strip();
    return "";
  }

  private static Refused malformed(String why) {
    return Refused.invalid("The multipart body cannot be read: " + why);
  }
}
