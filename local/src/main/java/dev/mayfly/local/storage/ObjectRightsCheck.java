package dev.mayfly.local.storage;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.util.List;

/**
 * Tells by its credential what a call may do. Without one it is a task's: Google's clients in tasks
 * send none to this cloud.
 */
public final class ObjectRightsCheck {
  private final OwnerToken owner;
  private final ObjectRights machine;

  public ObjectRightsCheck(OwnerToken owner, List<String> outputPrefixes) {
    this.owner = owner;
    this.machine = ObjectRights.ofMachine(outputPrefixes);
  }

  public ObjectRights of(RestCall restCall) {
    var bearer = OwnerToken.bearer(restCall.header("Authorization").orElse(null));
    return owner.matches(bearer) ? ObjectRights.OWNER : machine;
  }
}
