package dev.mayfly.local.secrets;

import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.machines.IdentityTokenSigner;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * IAM Credentials with two methods: {@code POST
 * /v1/projects/-/serviceAccounts/EMAIL:generateIdToken} and {@code :generateAccessToken}. The owner
 * may impersonate every account, and a machine that of tasks that submit jobs; others are refused.
 */
public final class IamCredentialsApi {
  private static final String PREFIX = "/v1/projects/-/serviceAccounts/";

  private static final Pattern METHOD =
      Pattern.compile("([a-z0-9-]+@[a-z0-9.-]+):(generateIdToken|generateAccessToken)");
  private static final int LARGEST = 10_000;

  private final IdentityTokenSigner tokens;
  private final OwnerToken owner;
  private final String taskSubmitter;
  private final InstantSource clock;

  /**
   * @param owner from whose token others are derived
   */
  public IamCredentialsApi(
      String project, IdentityTokenSigner tokens, OwnerToken owner, InstantSource clock) {
    this.tokens = tokens;
    this.owner = owner;
    this.taskSubmitter = LocalAccounts.taskSubmitter(project);
    this.clock = clock;
  }

  public Route route() {
    return new Route(PREFIX, this::answer, AccessLevel.MACHINE, ApiError.Shape.STATUS);
  }

  private void answer(RestCall restCall) throws IOException {
    restCall.requireToken();
    var method = METHOD.matcher(restCall.path().getLast());
    if (!method.matches() || !restCall.method().equals("POST")) throw restCall.unserved();
    var account = method.group(1);
    var bearer = OwnerToken.bearer(restCall.header("Authorization").orElse(null));
    if (owner.matchesMachine(bearer) && !account.equals(taskSubmitter))
      throw new ApiError(
          403, "forbidden", "Permission 'iam.serviceAccounts.getAccessToken' denied on " + account);
    var answer = RestCall.JSON.createObjectNode();
    if (method.group(2).equals("generateAccessToken")) {
      if (!account.equals(taskSubmitter)) throw restCall.unserved();
      var end = clock.instant().plus(IdentityTokenSigner.LIFE).truncatedTo(ChronoUnit.SECONDS);
      answer.put("accessToken", owner.taskToken(OwnerToken.machine(bearer)));
      restCall.answer(200, answer.put("expireTime", end.toString()));
      return;
    }
    var audience = restCall.json(LARGEST).path("audience").asString("");
    if (audience.isEmpty()) throw ApiError.invalid("audience is required");
    var token = tokens.accountToken(account, audience, clock.instant());
    restCall.answer(200, answer.put("token", token));
  }
}
