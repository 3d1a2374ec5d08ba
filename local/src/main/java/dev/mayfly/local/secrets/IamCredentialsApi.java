package dev.mayfly.local.secrets;

import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.machines.IdentityTokenSigner;
import java.io.IOException;
import java.time.InstantSource;
import java.util.regex.Pattern;

/**
 * IAM Credentials with one method: {@code POST
 * /v1/projects/-/serviceAccounts/EMAIL:generateIdToken}. Every login may impersonate every account
 * here; calls without a login are refused.
 */
public final class IamCredentialsApi {
  private static final String PREFIX = "/v1/projects/-/serviceAccounts/";

  private static final Pattern METHOD = Pattern.compile("([a-z0-9-]+@[a-z0-9.-]+):generateIdToken");
  private static final int LARGEST = 10_000;

  private final IdentityTokenSigner tokens;
  private final InstantSource clock;

  public IamCredentialsApi(IdentityTokenSigner tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  public Route route() {
    return new Route(PREFIX, this::answer, AccessLevel.OWNER, ApiError.Shape.STATUS);
  }

  private void answer(RestCall restCall) throws IOException {
    restCall.requireToken();
    var method = METHOD.matcher(restCall.path().getLast());
    if (!method.matches() || !restCall.method().equals("POST")) throw restCall.unserved();
    var audience = restCall.json(LARGEST).path("audience").asString("");
    if (audience.isEmpty()) throw ApiError.invalid("audience is required");
    var token = tokens.accountToken(method.group(1), audience, clock.instant());
    restCall.answer(200, RestCall.JSON.createObjectNode().put("token", token));
  }
}
