package dev.mayfly.local.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.credentials.SubmitterCredentialSource;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.machines.IdentityTokenSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The agent's tokens for tasks that submit, against the laptop cloud's IAM Credentials. */
class SubmitterCredentialSourceTest {
  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-11-25T12:00:00Z"));
  private static final OwnerToken OWNER = OwnerToken.random();

  @TempDir Path folder;
  private LoopbackServer server;

  @BeforeEach
  void serve() throws IOException {
    var signer = IdentityTokenSigner.load(folder.resolve("key"));
    server =
        LoopbackServer.start(
            0,
            List.of(new IamCredentialsApi("lab", signer, OWNER, NOON).route()),
            CallFaultInjector.NONE,
            AccessGuard.of(OWNER));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private SubmitterCredentialSource tokens(String account, String machine) {
    return new SubmitterCredentialSource(server.url(), account, "http://api", () -> machine, NOON);
  }

  @Test
  void machineMakesTokensOfThatAccount() {
    var account = LocalAccounts.taskSubmitter("lab");
    var token = tokens(account, OWNER.machineToken("7")).get();

    assertThat(OWNER.holder(token.accessToken())).contains(TokenHolder.TASK);
    var claims =
        JsonMapper.shared()
            .readTree(Base64.getUrlDecoder().decode(token.identityToken().split("\\.")[1]));
    assertThat(claims.path("email").asString()).isEqualTo(account);
    assertThat(claims.path("aud").asString()).isEqualTo("http://api");
    assertThat(token.expires()).isEqualTo("2026-11-25T13:00:00Z");
    assertThat(token.toString()).doesNotContain(token.accessToken());
  }

  @Test
  void machineMakesTokensOfNoOtherAccount() {
    assertThatThrownBy(() -> tokens(LocalAccounts.functions("lab"), OWNER.machineToken("7")).get())
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("roles/iam.serviceAccountTokenCreator");
  }
}
