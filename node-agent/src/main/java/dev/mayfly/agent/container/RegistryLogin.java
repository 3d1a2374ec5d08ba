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
 * Lets the engine read private registries: Google's as the machine's service account, others by a
 * login that a secret holds. Both are read anew for each pull, and none goes to another registry.
 */
public final class RegistryLogin {
  private static final Pattern GOOGLES =
      Pattern.compile("([a-z0-9-]+[.])?gcr[.]io|[a-z0-9-]+-docker[.]pkg[.]dev");

  /** A user has no brace or quotation mark: a whole file of logins is something else. */
  private static final Pattern PAIR =
      Pattern.compile("[^\\s\\p{Cntrl}:{}\"]+:[^\\x00]+", Pattern.DOTALL);

  private final Path folder;
  private final Supplier<String> token;
  private final Secrets secrets;

  /**
   * @param folder below it a login is for as long as a pull needs it
   * @param token an access token; may throw {@link dev.mayfly.core.error.UnavailableException}
   */
  public RegistryLogin(Path folder, Supplier<String> token, Secrets secrets) {
    this.folder = folder;
    this.token = token;
    this.secrets = secrets;
  }

  /**
   * What the engine needs to pull this image, to be closed after the pull; nothing for public
   * registries. Throws {@link dev.mayfly.core.error.MayflyException} with a cause that holds no
   * value of a secret.
   *
   * @param logins references to secrets, by host
   */
  PullLogin open(String image, Map<String, String> logins) throws IOException {
    var host = ContainerRegistries.host(image);
    var reference = logins.get(host);
    if (reference != null) return PullLogin.write(folder, names(image), pair(host, reference));
    // Not the host in small letters: no token for a name that Google does not write so.
    return GOOGLES.matcher(ContainerRegistries.writtenHost(image)).matches()
        ? PullLogin.write(folder, names(image), "oauth2accesstoken:" + token.get())
        : PullLogin.NONE;
  }

  private String pair(String host, String reference) {
    // Most programs that make a secret put the end of a line there, which is not meant.
    var value = secrets.value(reference).strip();
    if (PAIR.matcher(value).matches()) return value;
    throw new InvalidInputException(
        "the secret " + reference + " for " + host, "must be 'user:password'");
  }

  /** docker looks for Docker Hub's login under an address of old, podman under its name. */
  private static List<String> names(String image) {
    return ContainerRegistries.host(image).equals(ContainerRegistries.DOCKER_HUB)
        ? List.of("https://index.docker.io/v1/", ContainerRegistries.DOCKER_HUB)
        : List.of(ContainerRegistries.writtenHost(image));
  }
}
