package dev.mayfly.core.model.job;

import java.util.Optional;

/** What commands call a job: names are apart for each owner (decision 97). */
public final class JobAddress {
  private JobAddress() {}

  /** {@code OWNER/NAME}, or {@code NAME} without an owner. */
  public static String of(Optional<String> owner, String name) {
    return owner.map(o -> o + "/" + name).orElse(name);
  }
}
