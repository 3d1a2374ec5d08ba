package dev.mayfly.gcs;

import com.google.auth.oauth2.GoogleCredentials;
import dev.mayfly.core.error.DeniedException;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Access tokens of the account that is logged in on this machine, by application default
 * credentials, for commands that call Google's APIs directly. Reads nothing before the first token
 * is requested; renews a token that is about to expire. Throws {@link DeniedException} if no
 * account is logged in.
 */
public final class AccessTokenSupplier implements Supplier<String> {
  private static final List<String> SCOPES =
      List.of("https://www.googleapis.com/auth/cloud-platform");

  private @Nullable GoogleCredentials credentials;

  @Override
  public synchronized String get() {
    try {
      if (credentials == null)
        credentials = GoogleCredentials.getApplicationDefault().createScoped(SCOPES);
      credentials.refreshIfExpired();
      return credentials.getAccessToken().getTokenValue();
    } catch (IOException e) {
      throw new DeniedException(
          "no account is logged in to Google here ("
              + e.getMessage()
              + "); run: gcloud auth application-default login --disable-quota-project",
          e);
    }
  }
}
