package dev.mayfly.core.port;

/**
 * The place of an object: {@code gs://bucket/name} or {@code file:///folder/name}.
 *
 * <p>A name is never normalised: {@code ..} and empty segments are refused, so that nothing escapes
 * the prefix that was checked.
 *
 * @param root {@code gs://bucket} or {@code file://}
 * @param name the object's name in it, without a leading slash; may be empty for a whole bucket
 */
public record Url(String root, String name) {
  public Url {
    for (var segment : name.split("/", -1))
      if (segment.equals("..") || segment.equals("."))
        throw new IllegalArgumentException(
            "'" + name + "' has a '" + segment + "' in it; write the place itself");
    if (name.chars().anyMatch(c -> c < ' ' || c == 127))
      throw new IllegalArgumentException("'" + printable(name) + "' has a control character in it");
  }

  /** Throws {@link IllegalArgumentException} with a sentence for the user. */
  public static Url of(String text) {
    if (text.startsWith("gs://")) {
      var slash = text.indexOf('/', 5);
      var bucket = slash < 0 ? text.substring(5) : text.substring(5, slash);
      if (!bucket.matches("[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9]"))
        throw new IllegalArgumentException("'" + printable(bucket) + "' is no bucket's name");
      return new Url("gs://" + bucket, slash < 0 ? "" : text.substring(slash + 1));
    }
    if (text.startsWith("file:///")) return new Url("file://", text.substring(8));
    throw new IllegalArgumentException(
        "'" + printable(text) + "' is neither gs://bucket/name nor file:///folder/name");
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** The place that is this one's with {@code more} behind it; no slash is added. */
  public Url plus(String more) {
    return new Url(root, name + more);
  }

  /** The place of {@code child} in this folder. */
  public Url in(String child) {
    return new Url(root, name.isEmpty() || name.endsWith("/") ? name + child : name + "/" + child);
  }

  @Override
  public String toString() {
    return root + "/" + name;
  }
}
