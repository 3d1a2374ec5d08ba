package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.util.Optional;

/** Under which a call takes effect. Zero stands for "there is none". */
record Conditions(
    Optional<Long> generation,
    Optional<Long> notGeneration,
    Optional<Long> metageneration,
    Optional<Long> notMetageneration) {
  static final Conditions NONE =
      new Conditions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  static Conditions of(Call call) {
    return new Conditions(
        call.number("ifGenerationMatch"),
        call.number("ifGenerationNotMatch"),
        call.number("ifMetagenerationMatch"),
        call.number("ifMetagenerationNotMatch"));
  }

  /** Those on the object that another one is made of. */
  static Conditions ofSource(Call call) {
    return new Conditions(
        call.number("ifSourceGenerationMatch"),
        call.number("ifSourceGenerationNotMatch"),
        call.number("ifSourceMetagenerationMatch"),
        call.number("ifSourceMetagenerationNotMatch"));
  }

  /** As the XML interface writes them: in headers. */
  static Conditions ofHeaders(Call call) {
    return new Conditions(
        call.headerNumber("x-goog-if-generation-match"),
        Optional.empty(),
        call.headerNumber("x-goog-if-metageneration-match"),
        Optional.empty());
  }

  /** Throws 412. */
  void check(Optional<StoredObject> current) {
    if (!matches(current) || same(current)) throw failed();
  }

  /** Throws 412; or 304 when the reader has it already. */
  void checkRead(StoredObject current) {
    if (!matches(Optional.of(current))) throw failed();
    if (same(Optional.of(current))) throw new Refused(304, "notModified", "Not modified");
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

  private static Refused failed() {
    return new Refused(
        412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
  }
}
