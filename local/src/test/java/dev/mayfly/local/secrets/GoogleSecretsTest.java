package dev.mayfly.local.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.gcs.secrets.CloudSecrets;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector.Verdict;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.porttests.SecretsContract;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reader of secrets against the laptop cloud's Secret Manager. */
class GoogleSecretsTest extends SecretsContract {
  @TempDir Path folder;
  private final AtomicBoolean fail = new AtomicBoolean();
  private SecretStore store;
  private TestServer server;

  @BeforeEach
  void serve() throws IOException {
    store = new SecretStore(folder);
    server =
        new TestServer(
            List.of(new SecretManagerApi("p", store).route()),
            (path, mutating) ->
                fail.getAndSet(false)
                    ? Verdict.refused(ApiError.unavailable("Backend error, on purpose"))
                    : Verdict.OPEN);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Override
  protected Secrets secrets() {
    return CloudSecrets.reader(server.url(), () -> "p", () -> "token");
  }

  @Override
  protected void add(String name, String value) {
    store.add(name, value.getBytes(UTF_8));
  }

  @Override
  protected void forbid(String name) {
    store.forbid(name);
  }

  @Override
  protected void failNext() {
    fail.set(true);
  }

  @Test
  void fullSecretNameMayNameAnotherProject() {
    add("wandb", "first");
    var elsewhere = CloudSecrets.reader(server.url(), () -> "mine", () -> "token");

    assertThat(elsewhere.value("projects/p/secrets/wandb/versions/latest")).isEqualTo("first");
    assertThat(secrets().value("wandb/versions/1")).isEqualTo("first");
    assertThatThrownBy(() -> secrets().value("projects/../secrets/wandb/versions/latest"))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aCallWithoutAnIdentityIsRefused() throws IOException {
    add("wandb", "first");
    var url = URI.create(server.url() + "/v1/projects/p/secrets/wandb/versions/latest:access");

    assertThat(((HttpURLConnection) url.toURL().openConnection()).getResponseCode()).isEqualTo(401);
  }

  @Test
  void secretFileIsPrivateToOwner() throws IOException {
    add("wandb", "first");

    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("wandb/1"))))
        .isEqualTo("rw-------");
  }
}
