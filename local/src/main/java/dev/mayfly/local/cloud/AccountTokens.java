package dev.mayfly.local.cloud;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.Refused;
import dev.mayfly.local.cloud.rest.Rest;
import dev.mayfly.local.cloud.vm.IdentityTokens;
import java.io.IOException;
import java.time.InstantSource;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * IAM Credentials, of which one method is served: {@code POST
 * /v1/projects/-/serviceAccounts/EMAIL:generateIdToken}. Every login may speak as every account
 * here; whoever has none is refused.
 */
final class AccountTokens {
  static final String PREFIX = "/v1/projects/-/serviceAccounts/";

  private static final Pattern METHOD = Pattern.compile("([a-z0-9-]+@[a-z0-9.-]+):generateIdToken");
  private static final int LARGEST = 10_000;

  private final IdentityTokens tokens;
  private final InstantSource clock;

  AccountTokens(IdentityTokens tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  HttpHandler handler() {
    return new Rest(Faults.NONE, AccountTokens::error).handler(this::answer);
  }

  private void answer(Call call) throws IOException {
    if (call.header("Authorization").filter(h -> h.startsWith("Bearer ")).isEmpty())
      throw new Refused(401, "UNAUTHENTICATED", "Request is missing required authentication.");
    var method = METHOD.matcher(call.path().getLast());
    if (!method.matches() || !call.method().equals("POST"))
      throw new Refused(404, "NOT_FOUND", "There is no such method");
    var audience = call.json(LARGEST).path("audience").asString("");
    if (audience.isEmpty()) throw new Refused(400, "INVALID_ARGUMENT", "audience is required");
    var token = tokens.account(method.group(1), audience, clock.instant());
    call.answer(200, Call.JSON.createObjectNode().put("token", token));
  }

  private static ObjectNode error(Refused refused) {
    var root = Call.JSON.createObjectNode();
    root.putObject("error")
        .put("code", refused.status())
        .put("message", refused.getMessage())
        .put("status", refused.reason());
    return root;
  }
}
