package dev.mayfly.functions.webhook;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.Secrets;

/**
 * What a deployment's webhooks may use.
 *
 * @param secrets of their signatures
 * @param loopback whether they may be plain {@code http} to this computer, as on a laptop
 */
public record WebhookAccess(Secrets secrets, boolean loopback) {
  /** For a process that calls no webhook. */
  public static final WebhookAccess NONE =
      new WebhookAccess(
          reference -> {
            throw new InvalidInputException("secret " + reference, "there are no secrets here");
          },
          false);
}
