package dev.mayfly.core.model.job;

import java.util.regex.Pattern;

/**
 * What an image's tag named when it was pulled for a job first. From then on the job's tasks run
 * this, wherever the tag has moved to.
 *
 * @param image as the job or its cluster writes it, without a digest
 * @param digest {@code sha256:} and 64 hexadecimal digits
 */
public record PinnedImage(String image, String digest) {
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  /** Whether an image says by itself what is in it. */
  public static boolean isExact(String image) {
    return image.contains("@");
  }

  /** Whether this names one content of an image that has a tag, or none. */
  public boolean isValid() {
    return DIGEST.matcher(digest).matches() && !image.isEmpty() && !isExact(image);
  }

  /** The image by its digest alone: engines differ in what they make of a tag beside it. */
  public String name() {
    return withoutTag(image) + "@" + digest;
  }

  /** What follows the last colon is a port if a slash comes after it. */
  private static String withoutTag(String image) {
    int colon = image.lastIndexOf(':');
    return colon > image.lastIndexOf('/') ? image.substring(0, colon) : image;
  }
}
