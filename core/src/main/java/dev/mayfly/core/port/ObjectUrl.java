package dev.mayfly.core.port;

import java.util.Optional;

/**
 * The URL of an object: {@code gs://bucket/name} or {@code file:///folder/name}.
 *
 * <p>A name is never normalized. Segments {@code .} and {@code ..}, control characters and unpaired
 * surrogates are rejected, so that no tool leaves the checked prefix and no line breaks in two. A
 * bucket may hold objects with such names: listings leave them out.
 *
 * @param root {@code gs://bucket} or {@code file://}
 * @param name the object's name below the root, without a leading slash; empty for a whole bucket
 */
public record ObjectUrl(String root, String name) {
  public ObjectUrl {
    for (var segment : name.split("/", -1))
      if (segment.equals("..") || segment.equals("."))
        throw new IllegalArgumentException(
            "'"
                + ObjectNames.printable(name)
                + "' has a '"
                + segment
                + "' in it; write the place itself");
    if (name.chars().anyMatch(c -> c < ' ' || c == 127))
      throw new IllegalArgumentException(
          "'" + ObjectNames.printable(name) + "' has a control character in it");
    if (name.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE))
      throw new IllegalArgumentException(
          "'"
              + ObjectNames.printable(name)
              + "' has an unpaired surrogate in it, half of a character");
  }

  /** The URL, if the name is usable; otherwise empty. */
  public static Optional<ObjectUrl> ifUsable(String root, String name) {
    try {
      return Optional.of(new ObjectUrl(root, name));
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  /** Parses a URL. Throws {@link IllegalArgumentException} with a sentence for the user. */
  public static ObjectUrl of(String text) {
    if (text.startsWith("gs://")) {
      var slash = text.indexOf('/', 5);
      var bucket = slash < 0 ? text.substring(5) : text.substring(5, slash);
      if (!bucket.matches("[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9]"))
        throw new IllegalArgumentException(
            "'" + ObjectNames.printable(bucket) + "' is not a bucket's name: " + wrongName(bucket));
      return new ObjectUrl("gs://" + bucket, slash < 0 ? "" : text.substring(slash + 1));
    }
    if (text.startsWith("file:///")) return new ObjectUrl("file://", text.substring(8));
    throw new IllegalArgumentException(
        "'"
            + ObjectNames.printable(text)
            + "' is neither gs://bucket/name nor file:///folder/name");
  }

  /** Why Cloud Storage cannot have a bucket with this name. */
  private static String wrongName(String bucket) {
    if (bucket.length() < 3 || bucket.length() > 222)
      return "it has " + bucket.length() + " characters, and a name has 3 to 222";
    if (bucket.matches("[-_.a-z0-9]*")) return "it begins and ends with a letter or a digit";
    return "it has lower-case letters, digits, '-', '_' and '.' only";
  }

  /** This URL with {@code more} appended to the name; no slash is added. */
  public ObjectUrl append(String more) {
    return new ObjectUrl(root, name + more);
  }

  /** The URL of {@code child} in this folder. */
  public ObjectUrl resolve(String child) {
    return new ObjectUrl(
        root, name.isEmpty() || name.endsWith("/") ? name + child : name + "/" + child);
  }

  @Override
  public String toString() {
    return root + "/" + name;
  }
}
