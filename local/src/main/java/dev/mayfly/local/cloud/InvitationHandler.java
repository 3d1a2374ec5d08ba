package dev.mayfly.local.cloud;

import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.http.Route;
import java.io.IOException;

/**
 * {@code POST /_sim/invitations?person=ann&role=submitter}, by the owner: makes the token of a
 * person with that role. A repeat makes the same one.
 */
record InvitationHandler(OwnerToken owner) implements RestHandler {
  private static final String PATH = "/_sim/invitations";

  /** Where it is served. */
  Route route() {
    return new Route(PATH, this, AccessLevel.OWNER, ApiError.Shape.STATUS);
  }

  @Override
  public void answer(RestCall restCall) throws IOException {
    if (!restCall.method().equals("POST"))
      throw new ApiError(405, "httpMethodNotAllowed", PATH + " wants POST");
    var person = restCall.parameters().text("person").orElse("");
    if (!MessageTopic.isPerson(person))
      throw ApiError.invalid(
          "person is '%s'; write 1 to 40 of a-z, 0-9 and -, a letter first and no - last"
              .formatted(person));
    var role = restCall.parameters().text("role").orElse("");
    var holder =
        TokenHolder.ofRole(role)
            .orElseThrow(() ->
                ApiError.invalid(
                    "role is '%s'; write one of viewer, submitter, admin".formatted(role)));
    restCall.answer(
        200, RestCall.JSON.createObjectNode().put("token", owner.invitation(holder, person)));
  }
}
