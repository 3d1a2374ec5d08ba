package dev.mayfly.local.cloud.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** One page of a bucket's names, as the list call answers it. */
final class Listing {
  private static final int MOST = 1_000;

  private final Bucket bucket;
  private final String prefix;
  private final String delimiter;
  private final byte[] end;
  private final int limit;
  private final List<StoredObject> objects = new ArrayList<>();
  private final List<String> prefixes = new ArrayList<>();
  private String last = "";
  private boolean more;

  private Listing(Bucket bucket, Call call) {
    this.bucket = bucket;
    prefix = call.query("prefix").orElse("");
    delimiter = call.query("delimiter").orElse("");
    end = call.query("endOffset").orElse("").getBytes(UTF_8);
    limit = Math.clamp(call.number("maxResults").orElse((long) MOST), 1, MOST);
  }

  static ObjectNode of(Bucket bucket, Call call) throws IOException {
    for (var unknown : List.of("matchGlob", "versions", "softDeleted", "filter"))
      if (call.query(unknown).filter(v -> !v.equals("false")).isPresent())
        throw Refused.invalid("The laptop cloud's lists know no '" + unknown + "'");
    var listing = new Listing(bucket, call);
    try {
      listing.fill(call);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return listing.answer(call.origin());
  }

  /** A page ends before a name, and the next one begins after it. */
  private void fill(Call call) throws IOException {
    var from = call.query("startOffset").orElse("");
    var token = call.query("pageToken");
    if (token.isPresent()) {
      last = decoded(token.get());
      from = last;
    }
    bucket.walk(prefix, from, this::visit);
  }

  private boolean visit(String name) {
    if (name.equals(last) || (!last.isEmpty() && isFolder(last) && name.startsWith(last)))
      return true;
    if (end.length > 0 && Arrays.compareUnsigned(name.getBytes(UTF_8), end) >= 0) return false;
    if (objects.size() + prefixes.size() == limit) {
      more = true;
      return false;
    }
    var cut = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
    if (cut >= 0) {
      last = name.substring(0, cut + delimiter.length());
      prefixes.add(last);
      return true;
    }
    if (take(name)) last = name;
    return true;
  }

  private boolean isFolder(String name) {
    return !delimiter.isEmpty() && name.endsWith(delimiter) && name.length() > prefix.length();
  }

  private boolean take(String name) {
    try {
      bucket.find(name).ifPresent(objects::add);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode answer(String origin) {
    var node = Call.JSON.createObjectNode().put("kind", "storage#objects");
    if (more)
      node.put("nextPageToken", Base64.getUrlEncoder().encodeToString(last.getBytes(UTF_8)));
    if (!prefixes.isEmpty()) prefixes.forEach(node.putArray("prefixes")::add);
    if (!objects.isEmpty()) {
      var items = node.putArray("items");
      objects.forEach(o -> items.add(Resources.object(origin, bucket.name(), o)));
    }
    return node;
  }

  private static String decoded(String token) {
    try {
      return new String(Base64.getUrlDecoder().decode(token), UTF_8);
    } catch (IllegalArgumentException e) {
      throw Refused.invalid(
          "Invalid argument: pageToken '" + token + "' is none of ours: " + e.getMessage());
    }
  }
}
