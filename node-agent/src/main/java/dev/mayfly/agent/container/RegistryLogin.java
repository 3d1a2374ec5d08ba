package dev.mayfly.agent.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Lets the engine read Google's registries as the machine's service account. The token goes through
 * a file that only we may read, to no registry but Google's.
 */
public final class RegistryLogin {
  private final Path folder;
  private final Supplier<String> token;

  /**
   * @param folder of the file
   * @param token an access token; may throw {@link dev.mayfly.core.error.Unavailable}
   */
  public RegistryLogin(Path folder, Supplier<String> token) {
    this.folder = folder;
    this.token = token;
  }

  /** What the engine's environment needs for this image; nothing for public registries. */
  Map<String, String> variables(String image) {
    int slash = image.indexOf('/');
    var host = slash < 0 ? "" : image.substring(0, slash);
    if (!host.matches("([a-z0-9-]+[.])?gcr[.]io|[a-z0-9-]+-docker[.]pkg[.]dev")) return Map.of();
    var pair = "oauth2accesstoken:" + token.get();
    var auth = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    var text = "{\"auths\":{\"" + host + "\":{\"auth\":\"" + auth + "\"}}}";
    try {
      Files.createDirectories(folder);
      var file = folder.resolve("config.json");
      var owner =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      var fresh = Files.createTempFile(folder, "config", ".new", owner);
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      return Map.of("DOCKER_CONFIG", folder.toString(), "REGISTRY_AUTH_FILE", file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("the login for " + host + " cannot be written", e);
    }
  }
}
