package dev.mayfly.core.model.cluster;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The hosts of container registries, and logins by host: references to secrets, never values. */
public final class ContainerRegistries {
  /** Docker Hub, which its image names omit. */
  public static final String DOCKER_HUB = "docker.io";

  private ContainerRegistries() {}

  /**
   * The host in an image's name. By convention the first segment is a host only if it has a dot or
   * a port or is {@code localhost}; any other image is Docker Hub's.
   */
  public static String writtenHost(String image) {
    int slash = image.indexOf('/');
    var first = slash < 0 ? "" : image.substring(0, slash);
    var host = first.contains(".") || first.contains(":") || first.equals("localhost");
    return host ? first : DOCKER_HUB;
  }

  /** The host as logins name it: in lower case, with one name for Docker Hub. */
  public static String host(String image) {
    var host = writtenHost(image).toLowerCase(Locale.ROOT);
    return isDockerHub(host) ? DOCKER_HUB : host;
  }

  public static boolean isDockerHub(String host) {
    return host.equals(DOCKER_HUB) || host.endsWith("." + DOCKER_HUB);
  }

  /** Formats logins, one per line, for a machine's metadata; {@link #parse} reads them. */
  public static String text(Map<String, String> logins) {
    return new TreeMap<>(logins)
        .entrySet().stream()
            .map(e -> e.getKey() + "\t" + e.getValue())
            .collect(Collectors.joining("\n"));
  }

  /** Throws {@link IllegalArgumentException} for a line that {@link #text} does not write. */
  public static Map<String, String> parse(String text) {
    var logins = new TreeMap<String, String>();
    for (var line : text.lines().filter(l -> !l.isBlank()).toList()) {
      var fields = line.split("\t", -1);
      if (fields.length != 2 || fields[0].isEmpty() || fields[1].isEmpty())
        throw new IllegalArgumentException("'" + line + "' is not a registry with its secret");
      logins.put(fields[0], fields[1]);
    }
    return logins;
  }
}
