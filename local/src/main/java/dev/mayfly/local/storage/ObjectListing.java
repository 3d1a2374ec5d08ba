package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * One page of a bucket's names, as the list call answers it. Only live versions exist; deleted
 * objects leave nothing.
 */
final class ObjectListing {
  private static final int MAX_OBJECTS = 1_000;

  private final Bucket bucket;
  private final String prefix;
  private final String delimiter;
  private final byte[] end;
  private final int limit;
  private final List<StoredObject> objects = new ArrayList<>();
  private final List<String> prefixes = new ArrayList<>();
  private final Optional<MatchGlob> glob;
  private final boolean trailing;
  private String last = "";
  private boolean lastIsPrefix;
  private boolean more;

  private ObjectListing(Bucket bucket, RestCall restCall) {
    this.bucket = bucket;
    prefix = restCall.query("prefix").orElse("");
    delimiter = restCall.query("delimiter").orElse("");
    end = restCall.query("endOffset").orElse("").getBytes(UTF_8);
    limit = Math.clamp(restCall.number("maxResults").orElse((long) MAX_OBJECTS), 1, MAX_OBJECTS);
    glob = restCall.query("matchGlob").filter(g -> !g.isEmpty()).map(MatchGlob::of);
    trailing = restCall.query("includeTrailingDelimiter").filter("true"::equals).isPresent();
  }

  static ObjectNode of(Bucket bucket, RestCall restCall) throws IOException {
    if (restCall.query("filter").filter(v -> !v.isEmpty()).isPresent())
      throw ApiError.invalid("The laptop cloud's lists do not support 'filter'");
    var objectListing = new ObjectListing(bucket, restCall);
    try {
      if (restCall.query("softDeleted").filter("true"::equals).isEmpty())
        objectListing.fill(restCall);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return objectListing.answer(restCall.origin());
  }

  /** Fills the page; the next page begins after its last name. */
  private void fill(RestCall restCall) throws IOException {
    var from = restCall.query("startOffset").orElse("");
    var token = restCall.query("pageToken").filter(t -> !t.isEmpty());
    if (token.isPresent()) {
      read(token.get());
      from = last;
    }
    bucket.walk(prefix, from, this::visit);
  }

  private boolean visit(String name) {
    if (!last.isEmpty() && (lastIsPrefix ? name.startsWith(last) : name.equals(last)))
      return taken(name);
    if (end.length > 0 && Arrays.compareUnsigned(name.getBytes(UTF_8), end) >= 0) return false;
    if (!UploadHandler.isLegalName(name) || glob.filter(g -> !g.matches(name)).isPresent())
      return true;
    if (objects.size() + prefixes.size() >= limit) {
      more = true;
      return false;
    }
    var cut = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
    if (cut < 0) {
      if (take(name)) remember(name, false);
      return true;
    }
    remember(name.substring(0, cut + delimiter.length()), true);
    prefixes.add(last);
    return taken(name);
  }

  /** Whether the last prefix covers the name; the prefix itself may be an object too. */
  private boolean taken(String name) {
    return !trailing || !lastIsPrefix || !name.equals(last) || take(name);
  }

  private void remember(String name, boolean isPrefix) {
    last = name;
    lastIsPrefix = isPrefix;
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
    var node = RestCall.JSON.createObjectNode().put("kind", "storage#objects");
    if (more) node.put("nextPageToken", token());
    if (!prefixes.isEmpty()) prefixes.forEach(node.putArray("prefixes")::add);
    if (!objects.isEmpty()) {
      var items = node.putArray("items");
      objects.forEach(o -> items.add(ResourceJson.object(origin, bucket.name(), o)));
    }
    return node;
  }

  private String token() {
    var text = (lastIsPrefix ? "p" : "o") + last;
    return Base64.getUrlEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private void read(String token) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(token), UTF_8);
      if (!text.isEmpty()) remember(text.substring(1), text.startsWith("p"));
    } catch (IllegalArgumentException e) {
      throw ApiError.invalid(
          "Invalid argument: pageToken '" + token + "' is invalid: " + e.getMessage());
    }
  }
}
