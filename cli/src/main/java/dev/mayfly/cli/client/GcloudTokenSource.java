package dev.mayfly.cli.client;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.gcs.AccessTokenSupplier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens from application default credentials, and identity tokens from gcloud, because only
 * gcloud has one for a person. {@code MAYFLY_IDENTITY_TOKEN} replaces gcloud. Each token is
 * requested once per command.
 */
public final class GcloudTokenSource implements GcpProject.TokenSource {
  private final Map<String, String> env;
  private final AccessTokenSupplier login = new AccessTokenSupplier();
  private @Nullable String identity;

  public GcloudTokenSource(Map<String, String> env) {
    this.env = env;
  }

  @Override
  public String accessToken() {
    return login.get();
  }

  @Override
  public synchronized String identityToken() {
    if (identity == null) identity = env.getOrDefault("MAYFLY_IDENTITY_TOKEN", "");
    if (identity.isBlank()) identity = printed();
    return identity;
  }

  private static String printed() {
    try {
      var gcloud =
          new ProcessBuilder("gcloud", "auth", "print-identity-token")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      gcloud.getOutputStream().close();
      var token = new String(gcloud.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (gcloud.waitFor() == 0 && !token.isBlank()) return token.strip();
      throw new DeniedException("gcloud has no login here; run: gcloud auth login");
    } catch (IOException e) {
      throw new DeniedException(
          "gcloud cannot be run here (" + e + "); set MAYFLY_IDENTITY_TOKEN", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeniedException("interrupted while waiting for a token from gcloud", e);
    }
  }
}
