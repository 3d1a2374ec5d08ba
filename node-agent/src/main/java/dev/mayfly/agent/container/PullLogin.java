package dev.mayfly.agent.container;

import dev.mayfly.agent.credentials.SecretRedactor;
import dev.mayfly.agent.files.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The login of one pull: a file that only the agent may read, in its own folder, deleted on close.
 */
final class PullLogin implements AutoCloseable {
  /** For public registries. */
  static final PullLogin NONE = new PullLogin(Optional.empty(), SecretRedactor.NOTHING);

  private static final String FILE = "config.json";

  private final Optional<Path> folder;
  private final SecretRedactor redactor;

  private PullLogin(Optional<Path> folder, SecretRedactor redactor) {
    this.folder = folder;
    this.redactor = redactor;
  }

  /**
   * @param names by which engines look up the registry; without special characters
   * @param pair {@code user:password}
   */
  static PullLogin write(Path parent, List<String> names, String pair) throws IOException {
    var auth = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    var entries =
        names.stream()
            .map(name -> "\"%s\":{\"auth\":\"%s\"}".formatted(name, auth))
            .collect(Collectors.joining(","));
    var password = pair.substring(pair.indexOf(':') + 1);
    Files.createDirectories(parent);
    var folder = Files.createTempDirectory(parent, "pull");
    var pullLogin =
        new PullLogin(Optional.of(folder), SecretRedactor.of(List.of(pair, password, auth)));
    try {
      var owner = PosixFilePermissions.fromString("rw-------");
      var file =
          Files.createFile(folder.resolve(FILE), PosixFilePermissions.asFileAttribute(owner));
      Files.writeString(file, "{\"auths\":{" + entries + "}}");
      return pullLogin;
    } catch (IOException e) {
      pullLogin.close();
      throw e;
    }
  }

  /** Environment variables for the engine; they contain no secrets. */
  Map<String, String> variables() {
    return folder
        .map(f ->
            Map.of("DOCKER_CONFIG", f.toString(), "REGISTRY_AUTH_FILE", f.resolve(FILE).toString()))
        .orElse(Map.of());
  }

  /** Removes the login from the engine's output. */
  String redact(String text) {
    return redactor.redact(text);
  }

  @Override
  public void close() throws IOException {
    if (folder.isPresent()) {
      // The engine may have added files.
      FileTrees.delete(folder.get());
    }
  }
}
