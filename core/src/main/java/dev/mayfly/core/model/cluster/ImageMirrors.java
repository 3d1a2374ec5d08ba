package dev.mayfly.core.model.cluster;

import dev.mayfly.core.model.StorageLocation;
import java.util.Map;

/**
 * Which copy of a container image a worker pulls: that of its own region. A copy has the image's
 * tag or digest, so a pinned image is the same everywhere.
 */
public final class ImageMirrors {
  /** Stands for the worker's region in an image of Artifact Registry. */
  public static final String REGION = "REGION";

  private static final String TEMPLATE = REGION + "-docker.pkg.dev/";

  private ImageMirrors() {}

  /**
   * The name of the image for a worker in the zone: without its tag if it has a digest, because
   * podman refuses both together. Repeating it changes nothing.
   *
   * @param image as the job or its cluster writes it, perhaps pinned
   * @param base the cluster's image; images of its folder have mirrors, others have none
   * @param mirrors by region, folders that hold the same images as that of {@code base}
   */
  public static String nearest(
      String image, String base, Map<String, String> mirrors, String zone) {
    var region = StorageLocation.region(zone);
    var mirror = mirrors.get(region);
    var name = withoutTagOfDigest(image);
    if (mirror != null && !folder(base).isEmpty() && folder(name).equals(folder(base)))
      return mirror + name.substring(folder(name).length());
    return isTemplate(name) ? region + name.substring(REGION.length()) : name;
  }

  private static String withoutTagOfDigest(String image) {
    var at = image.indexOf('@');
    if (at < 0) return image;
    var colon = image.lastIndexOf(':', at);
    return colon > image.lastIndexOf('/', at)
        ? image.substring(0, colon) + image.substring(at)
        : image;
  }

  /** Whether the worker's region is a part of the image's name. */
  public static boolean isTemplate(String image) {
    return image.startsWith(TEMPLATE);
  }

  /** Everything before the last slash; empty for an image without one. */
  public static String folder(String image) {
    var digest = image.indexOf('@');
    var slash = (digest < 0 ? image : image.substring(0, digest)).lastIndexOf('/');
    return slash < 0 ? "" : image.substring(0, slash);
  }
}
