package dev.mayfly.agent.container;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ContainerRegistries;
import dev.mayfly.core.port.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Logs the engine in to private registries: to Google's as the machine's service account, to others
 * with a login from a secret. Both are read anew for each pull, and none is sent to another
 * registry.
 */
public final class RegistryLogin {
  private static final Pattern GOOGLE_REGISTRY =
      Pattern.compile("([a-z0-9-]+[.])?gcr[.]io|[a-z0-9-]+-docker[.]pkg[.]dev");

  /** A user name has no brace or quotation mark, so that a whole login file is not accepted. */
  private static final Pattern PAIR =
      Pattern.compile("[^\\s\\p{Cntrl}:{}\"]+:[^\\x00]+", Pattern.DOTALL);

  private final Path folder;
  private final Supplier<String> token;
  private final Secrets secrets;

  /**
   * @param folder holds a login while a pull needs it
   * @param token an access token; may throw {@link dev.mayfly.core.error.UnavailableException}
   */
  public RegistryLogin(Path folder, Supplier<String> token, Secrets secrets) {
    this.folder = folder;
    this.token = token;
    this.secrets = secrets;
  }

  /**
   * The login to pull this image, to be closed after the pull; empty for public registries. Throws
   * {@link dev.mayfly.core.error.MayflyException} whose message contains no secret value.
   *
   * @param logins references to secrets, by host
   */
  PullLogin open(String image, Map<String, String> logins) throws IOException {
    var host = ContainerRegistries.host(image);
    var reference = logins.get(host);
    if (reference != null) return PullLogin.write(folder, names(image), pair(host, reference));
    // Compare the host as written: a name in another case is not Google's and gets no token.
    return GOOGLE_REGISTRY.matcher(ContainerRegistries.writtenHost(image)).matches()
        ? PullLogin.write(folder, names(image), "oauth2accesstoken:" + token.get())
        : PullLogin.NONE;
  }

  private String pair(String host, String reference) {
    // Most programs that create a secret append an unintended newline.
    var value = secrets.value(reference).strip();
    if (PAIR.matcher(value).matches()) return value;
    throw new InvalidInputException(
        "the secret " + reference + " for " + host, "must be 'user:password'");
  }

  /** docker looks up Docker Hub's login by a legacy address, podman by name. */
  private static List<String> names(String image) {
    return ContainerRegistries.host(image).equals(ContainerRegistries.DOCKER_HUB)
        ? List.of("https://index.docker.io/v1/", ContainerRegistries.DOCKER_HUB)
        : List.of(ContainerRegistries.writtenHost(image));
  }
}
