package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import java.util.Optional;

/** The preconditions of a call. Generation zero means that the object must not exist. */
public record RequestPreconditions(
    Optional<Long> generation,
    Optional<Long> notGeneration,
    Optional<Long> metageneration,
    Optional<Long> notMetageneration) {
  public static final RequestPreconditions NONE =
      new RequestPreconditions(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public static RequestPreconditions of(RestCall restCall) {
    return of(restCall, "if");
  }

  /** The preconditions on a source object. */
  public static RequestPreconditions ofSource(RestCall restCall) {
    return of(restCall, "ifSource");
  }

  private static RequestPreconditions of(RestCall restCall, String prefix) {
    return new RequestPreconditions(
        restCall.number(prefix + "GenerationMatch"),
        restCall.number(prefix + "GenerationNotMatch"),
        restCall.number(prefix + "MetagenerationMatch"),
        restCall.number(prefix + "MetagenerationNotMatch"));
  }

  /** The preconditions from headers, as in the XML API. */
  public static RequestPreconditions ofHeaders(RestCall restCall) {
    return new RequestPreconditions(
        restCall.headerNumber("x-goog-if-generation-match"),
        Optional.empty(),
        restCall.headerNumber("x-goog-if-metageneration-match"),
        Optional.empty());
  }

  /** Throws 412 if a precondition fails. */
  public void check(Optional<StoredObject> current) {
    if (!matches(current) || same(current)) throw failed();
  }

  /** Throws 412 if a precondition fails, or 304 if the reader has this content already. */
  public void checkRead(StoredObject current) {
    if (!matches(Optional.of(current))) throw failed();
    if (same(Optional.of(current))) throw new ApiError(304, "notModified", "Not modified");
  }

  private boolean matches(Optional<StoredObject> current) {
    return generation.map(g -> g == number(current)).orElse(true)
        && metageneration.map(m -> m == metaNumber(current)).orElse(true);
  }

  private boolean same(Optional<StoredObject> current) {
    return notGeneration.map(g -> g == number(current)).orElse(false)
        || notMetageneration.map(m -> m == metaNumber(current)).orElse(false);
  }

  private static long number(Optional<StoredObject> current) {
    return current.map(StoredObject::generation).orElse(0L);
  }

  private static long metaNumber(Optional<StoredObject> current) {
    return current.map(StoredObject::metageneration).orElse(0L);
  }

  private static ApiError failed() {
    return new ApiError(
        412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
  }
}
