package dev.mayfly.functions.webhook;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Secrets;
import java.net.URI;

/**
 * What a deployment's webhooks may use.
 *
 * @param secrets of their signatures
 * @param reach the addresses that they may be at
 */
public record WebhookAccess(Secrets secrets, WebhookReach reach) {
  /** For a process that calls no webhook. */
  public static final WebhookAccess NONE =
      new WebhookAccess(
          reference -> {
            throw new InvalidInputException("secret " + reference, "there are no secrets here");
          },
          WebhookReach.INTERNET);

  /**
   * Refuses a cluster whose webhook would never be called. Throws {@link InvalidInputException}.
   */
  public void check(UserCommand command) {
    if (!(command instanceof UserCommand.ApplyCluster apply)) return;
    apply
        .spec()
        .notifications()
        .map(spec -> spec.webhook().url())
        .flatMap(url -> WebhookAddress.problem(URI.create(url), reach))
        .ifPresent(problem -> {
          throw new InvalidInputException("notifications.webhook.url", "it " + problem);
        });
  }
}
