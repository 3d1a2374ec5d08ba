package dev.mayfly.local.storage;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.util.List;

/** Tells by its credential what a call may do with objects. */
public final class CallerRights {
  private final OwnerToken owner;
  private final List<String> outputPrefixes;

  public CallerRights(OwnerToken owner, List<String> outputPrefixes) {
    this.owner = owner;
    this.outputPrefixes = List.copyOf(outputPrefixes);
  }

  /** Without a credential of this cloud a call is refused, as one to a private bucket is. */
  public ObjectRights of(RestCall restCall) {
    return owner
        .holder(bearer(restCall))
        .map(holder -> new ObjectRights(holder.atBuckets(), outputPrefixes))
        .orElseThrow(() ->
            new ApiError(
                401,
                "required",
                "Anonymous caller does not have access to the Google Cloud Storage bucket: send a token; tasks have one with metadata: true, people that of $MAYFLY_HOME/cloud/person"));
  }

  /**
   * At a machine's metadata server, which only tasks with {@code metadata: true} are told of, a
   * call without a credential is the machine's.
   */
  public ObjectRights onMachine(RestCall restCall) {
    return bearer(restCall).isEmpty()
        ? new ObjectRights(TokenHolder.MACHINE, outputPrefixes)
        : of(restCall);
  }

  private static String bearer(RestCall restCall) {
    return OwnerToken.bearer(restCall.header("Authorization").orElse(null));
  }
}
