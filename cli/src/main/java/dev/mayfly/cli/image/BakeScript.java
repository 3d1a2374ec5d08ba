package dev.mayfly.cli.image;

import java.util.List;

/** What a machine runs as root at its only boot before it becomes a boot image. */
final class BakeScript {
  /** The line on the console if something could not be installed. */
  static final String FAILED = "mayfly-bake: failed";

  /**
   * A login for Google's registries as the machine's account, if it has one; never on the image.
   */
  private static final String LOGIN =
      """
      export DOCKER_CONFIG=/run/mayfly-bake REGISTRY_AUTH_FILE=/run/mayfly-bake/config.json
      mkdir -m 700 -p "$DOCKER_CONFIG"
      token=$(curl -s -f -H 'Metadata-Flavor: Google' \\
        http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token |
        sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p') || token=
      login() {
        [ -z "$token" ] || printf %s "$token" | "$engine" login -u oauth2accesstoken --password-stdin "https://$1"
      }
      """;

  private BakeScript() {}

  /**
   * The script. It powers the machine off if all went well.
   *
   * @param apt packages, as {@link RecipeReader} allows them
   * @param images containers that machines then need not pull
   */
  static String of(List<String> apt, List<String> images) {
    var lines = new StringBuilder();
    lines.append("#!/bin/bash\nset -euo pipefail\n");
    lines.append("trap 'echo \"").append(FAILED).append(" in line $LINENO\"' ERR\n");
    lines.append("export DEBIAN_FRONTEND=noninteractive HOME=/root\n");
    if (!apt.isEmpty())
      lines
          .append("apt-get update\napt-get install -y -- ")
          .append(String.join(" ", apt))
          .append("\napt-get clean\n");
    if (!images.isEmpty()) {
      lines.append("engine=$(command -v podman || command -v docker)\n");
      lines.append(LOGIN).append(logins(images));
      for (var image : images) lines.append("\"$engine\" pull -- ").append(image).append('\n');
      lines.append("rm -rf \"$DOCKER_CONFIG\"\n");
    }
    lines.append("sync\npoweroff\n");
    return lines.toString();
  }

  /** The hosts of Google's registries among the images. */
  private static String logins(List<String> images) {
    return images.stream()
        .map(image -> image.substring(0, Math.max(0, image.indexOf('/'))))
        .filter(host -> host.endsWith("-docker.pkg.dev") || host.matches("([a-z]+[.])?gcr[.]io"))
        .distinct()
        .sorted()
        .map(host -> "login " + host + "\n")
        .reduce("", String::concat);
  }
}
