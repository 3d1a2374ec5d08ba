package dev.mayfly.cli.image;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.ImageMirrors;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names under which an image is pushed, so that the workers of each region find it.
 *
 * @param written as the cluster's file has it, without a digest
 * @param names of all copies
 */
record ImageDestinations(String written, List<String> names) {
  /** An image without a digest. */
  static final Pattern NAME =
      Pattern.compile(
          "(REGION-docker\\.pkg\\.dev/)?[a-z0-9][-a-z0-9._]*(:[0-9]{1,5})?(/[a-z0-9][-a-z0-9._]*)*(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?");

  private static final Pattern REGION = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]{1,2}");
  private static final Pattern REGIONAL =
      Pattern.compile("[a-z]+(-[a-z]+)+[0-9]{1,2}(-docker\\.pkg\\.dev/.*)");

  ImageDestinations {
    names = List.copyOf(names);
  }

  /**
   * Throws {@link CommandException} if there is no image or a region has no copy.
   *
   * @param named by the user
   * @param cluster has the image otherwise, and its mirrors
   * @param regions those of the copies; by default all that the cluster's file says
   */
  static ImageDestinations of(
      Optional<String> named, Optional<ClusterSpec> cluster, List<String> regions) {
    var written =
        named
            .or(() ->
                cluster.flatMap(ClusterSpec::image).map(image -> image.replaceFirst("@.*", "")))
            .orElseThrow(() ->
                CommandException.input(
                    "no image is named; write REGISTRY/FOLDER/NAME:TAG, or image in the cluster's file and -f FILE"));
    if (!NAME.matcher(written).matches())
      throw CommandException.input(
          "'%s' is not a name to push under; write it like us-central1-docker.pkg.dev/lab/job/base:1, in lower-case letters and without a digest"
              .formatted(written));
    var mirrors = cluster.map(ClusterSpec::mirrors).orElse(Map.of());
    var base = cluster.flatMap(ClusterSpec::image).orElse(written);
    var names = new LinkedHashSet<String>();
    if (!regions.isEmpty()) regions.forEach(r -> names.add(in(r, written, base, mirrors)));
    else if (ImageMirrors.isTemplate(written))
      zones(written, cluster)
          .forEach(zone -> names.add(ImageMirrors.nearest(written, base, mirrors, zone)));
    else {
      names.add(written);
      mirrors.keySet().stream()
          .sorted()
          .forEach(r -> names.add(ImageMirrors.nearest(written, base, mirrors, r + "-a")));
    }
    return new ImageDestinations(written, new ArrayList<>(names));
  }

  private static String in(
      String region, String written, String base, Map<String, String> mirrors) {
    if (!REGION.matcher(region).matches())
      throw CommandException.input(
          "'%s' is not a region; write one such as us-central1".formatted(region));
    var nearest = ImageMirrors.nearest(written, base, mirrors, region + "-a");
    if (!nearest.equals(written) || written.startsWith(region + "-")) return nearest;
    var regional = REGIONAL.matcher(written);
    if (!regional.matches())
      throw CommandException.input(
          "%s has no copy in %s; write it in mirrors of the cluster's file, or name the image REGION-docker.pkg.dev/PROJECT/REPOSITORY/NAME"
              .formatted(written, region));
    return region + regional.group(2);
  }

  private static List<String> zones(String written, Optional<ClusterSpec> cluster) {
    var zones =
        cluster.stream()
            .flatMap(c -> c.pools().stream())
            .filter(pool -> pool.provisioning() != Provisioning.STATIC)
            .flatMap(pool -> pool.zones().stream())
            .toList();
    if (zones.isEmpty())
      throw CommandException.input(
          "%s is of each worker's region, and no region is known; name them with --region, or the cluster's file with -f"
              .formatted(written));
    return zones;
  }

  /** The region of an Artifact Registry name; empty for other registries. */
  static Optional<String> region(String name) {
    return REGIONAL.matcher(name).matches()
        ? Optional.of(StorageLocation.region(name.substring(0, name.indexOf("-docker")) + "-a"))
        : Optional.empty();
  }
}
