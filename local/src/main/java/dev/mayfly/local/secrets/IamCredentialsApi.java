package dev.mayfly.local.secrets;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestError;
import dev.mayfly.local.http.RestFaults;
import dev.mayfly.local.http.RestHandlers;
import dev.mayfly.local.machines.IdentityTokenSigner;
import java.io.IOException;
import java.time.InstantSource;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * IAM Credentials with one method: {@code POST
 * /v1/projects/-/serviceAccounts/EMAIL:generateIdToken}. Every login may impersonate every account
 * here; calls without a login are refused.
 */
public final class IamCredentialsApi {
  public static final String PREFIX = "/v1/projects/-/serviceAccounts/";

  private static final Pattern METHOD = Pattern.compile("([a-z0-9-]+@[a-z0-9.-]+):generateIdToken");
  private static final int LARGEST = 10_000;

  private final IdentityTokenSigner tokens;
  private final InstantSource clock;

  public IamCredentialsApi(IdentityTokenSigner tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  public HttpHandler handler() {
    return new RestHandlers(RestFaults.NONE, IamCredentialsApi::error).handler(this::answer);
  }

  private void answer(RestCall restCall) throws IOException {
    if (restCall.header("Authorization").filter(h -> h.startsWith("Bearer ")).isEmpty())
      throw new RestError(401, "UNAUTHENTICATED", "Request is missing required authentication.");
    var method = METHOD.matcher(restCall.path().getLast());
    if (!method.matches() || !restCall.method().equals("POST"))
      throw new RestError(404, "NOT_FOUND", "There is no such method");
    var audience = restCall.json(LARGEST).path("audience").asString("");
    if (audience.isEmpty()) throw new RestError(400, "INVALID_ARGUMENT", "audience is required");
    var token = tokens.accountToken(method.group(1), audience, clock.instant());
    restCall.answer(200, RestCall.JSON.createObjectNode().put("token", token));
  }

  private static ObjectNode error(RestError restError) {
    var root = RestCall.JSON.createObjectNode();
    root.putObject("error")
        .put("code", restError.status())
        .put("message", restError.getMessage())
        .put("status", restError.reason());
    return root;
  }
}
