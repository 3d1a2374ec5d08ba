package dev.mayfly.core.model.job;

import java.util.regex.Pattern;

/**
 * What an image's tag resolved to at a job's first pull. From then on the job's tasks run this
 * image, even if the tag moves.
 *
 * @param image as the job or its cluster writes it, without a digest
 * @param digest {@code sha256:} and 64 hexadecimal digits
 */
public record PinnedImage(String image, String digest) {
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  /** Whether an image name pins its content. */
  public static boolean isExact(String image) {
    return image.contains("@");
  }

  /** Whether this pins an image that is named by tag, or without one. */
  public boolean isValid() {
    return DIGEST.matcher(digest).matches() && !image.isEmpty() && !isExact(image);
  }

  /** The image by its digest alone: engines treat a tag beside it differently. */
  public String name() {
    return withoutTag(image) + "@" + digest;
  }

  /** A colon before a slash belongs to a port, not to a tag. */
  private static String withoutTag(String image) {
    int colon = image.lastIndexOf(':');
    return colon > image.lastIndexOf('/') ? image.substring(0, colon) : image;
  }
}
