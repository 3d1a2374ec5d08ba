package dev.mayfly.agent.container;

import dev.mayfly.core.model.cluster.ContainerRegistries;
import dev.mayfly.core.model.job.PinnedImage;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the digests by which the engine knows an image. */
final class ImageDigests {
  /** What the engine prints of an image. */
  static final String FORMAT = "--format={{json .RepoDigests}}";

  private static final Pattern KNOWN = Pattern.compile("([^\\s\"\\[\\],@]+)@(sha256:[0-9a-f]{64})");

  private ImageDigests() {}

  /**
   * The first digest in the image's own registry; an image that was also pulled from another
   * registry has several. Empty if it came from no registry.
   */
  static Optional<PinnedImage> of(String image, String printed) {
    var known = KNOWN.matcher(printed);
    while (known.find())
      if (repository(known.group(1)).equals(repository(image)))
        return Optional.of(new PinnedImage(image, known.group(2)));
    return Optional.empty();
  }

  /** Normalizes Docker Hub names, which engines write in full or in short. */
  private static String repository(String image) {
    var host = ContainerRegistries.host(image);
    var written = ContainerRegistries.writtenHost(image) + "/";
    var path = image.startsWith(written) ? image.substring(written.length()) : image;
    int colon = path.indexOf(':');
    var plain = colon < 0 ? path : path.substring(0, colon);
    var official = host.equals(ContainerRegistries.DOCKER_HUB) && !plain.contains("/");
    return host + "/" + (official ? "library/" + plain : plain);
  }
}
