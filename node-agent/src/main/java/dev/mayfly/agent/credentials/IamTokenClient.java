package dev.mayfly.agent.credentials;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Tokens of a service account for an account that may impersonate it: identity tokens for a static
 * worker, which has no metadata server and whose login is a person's or a federated workload's; and
 * tokens for tasks that may submit jobs. Needs no key file.
 */
public final class IamTokenClient implements Supplier<String> {
  private static final Pattern IDENTITY =
      Pattern.compile("\"token\"\\s*:\\s*\"([A-Za-z0-9._=-]+)\"");

  private static final Pattern ACCESS = Pattern.compile("\"accessToken\"\\s*:\\s*\"([^\"\\s]+)\"");

  /** Publishing, and objects as far as the account's grants go. */
  private static final String SCOPES =
      "\"https://www.googleapis.com/auth/pubsub\",\"https://www.googleapis.com/auth/devstorage.read_write\"";

  private static final int MILLIS = 10_000;
  private static final int LARGEST = 100_000;

  private final URI url;
  private final String account;
  private final String body;
  private final Pattern token;
  private final Supplier<String> access;

  /**
   * Identity tokens.
   *
   * @param endpoint such as {@code https://iamcredentials.googleapis.com}
   * @param account the service account's address
   * @param audience the recipient of the token
   * @param access an access token of the logged-in account; may throw {@link UnavailableException}
   */
  public IamTokenClient(String endpoint, String account, String audience, Supplier<String> access) {
    this(
        endpoint,
        account,
        "generateIdToken",
        "{\"audience\":\"" + audience + "\",\"includeEmail\":true}",
        IDENTITY,
        access);
  }

  /** Access tokens for Pub/Sub and Cloud Storage, valid for {@code life}. */
  static IamTokenClient ofAccess(
      String endpoint, String account, Duration life, Supplier<String> access) {
    var body = "{\"scope\":[%s],\"lifetime\":\"%ds\"}".formatted(SCOPES, life.toSeconds());
    return new IamTokenClient(endpoint, account, "generateAccessToken", body, ACCESS, access);
  }

  private IamTokenClient(
      String endpoint,
      String account,
      String method,
      String body,
      Pattern token,
      Supplier<String> access) {
    this.account = account;
    this.access = access;
    this.body = body;
    this.token = token;
    url =
        URI.create(
            endpoint.replaceFirst("/+$", "")
                + "/v1/projects/-/serviceAccounts/"
                + account
                + ":"
                + method);
  }

  /**
   * A new token. Throws {@link UnavailableException}, or {@link DeniedException} if the login may
   * not act as the service account.
   */
  @Override
  public String get() {
    try {
      return request();
    } catch (IOException e) {
      throw new UnavailableException(
          "IAM returns no token of " + account + ": " + e.getMessage(), e);
    }
  }

  private String request() throws IOException {
    var shown = access.get();
    ProvenServers.shared().connect(url.toString(), shown);
    var call = (HttpURLConnection) url.toURL().openConnection();
    call.setRequestMethod("POST");
    call.setRequestProperty("Authorization", "Bearer " + shown);
    call.setRequestProperty("Content-Type", "application/json");
    call.setConnectTimeout(MILLIS);
    call.setReadTimeout(MILLIS);
    call.setInstanceFollowRedirects(false);
    call.setDoOutput(true);
    try (var out = call.getOutputStream()) {
      out.write(body.getBytes(StandardCharsets.UTF_8));
    }
    int status = call.getResponseCode();
    if (status != 200) {
      call.disconnect();
      throw refusal(status);
    }
    try (var in = call.getInputStream()) {
      var found = token.matcher(new String(in.readNBytes(LARGEST), StandardCharsets.US_ASCII));
      if (found.find()) return found.group(1);
    }
    throw new IOException("the answer holds no token");
  }

  private RuntimeException refusal(int status) {
    return switch (status) {
      case 401, 403, 404 ->
          new DeniedException(
              "this login may not act as "
                  + account
                  + " (status "
                  + status
                  + "); grant it roles/iam.serviceAccountTokenCreator on that account");
      default ->
          new UnavailableException("IAM returns no token of " + account + ": status " + status);
    };
  }
}
