package dev.mayfly.agent.credentials;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.SubmitterCredentials;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/**
 * Tokens of the account that tasks with the right to submit act as, which the machine's account
 * impersonates. They are valid for an hour; nothing is cached.
 */
public final class SubmitterCredentialSource implements Supplier<SubmitterCredentials> {
  private static final Duration LIFE = Duration.ofHours(1);

  private final IamTokenClient access;
  private final IamTokenClient identity;
  private final InstantSource clock;

  /**
   * @param endpoint such as {@code https://iamcredentials.googleapis.com}
   * @param account the service account's address
   * @param audience the recipient of identity tokens
   * @param machine an access token of the machine's account
   */
  public SubmitterCredentialSource(
      String endpoint,
      String account,
      String audience,
      Supplier<String> machine,
      InstantSource clock) {
    this.access = IamTokenClient.ofAccess(endpoint, account, LIFE, machine);
    this.identity = new IamTokenClient(endpoint, account, audience, machine);
    this.clock = clock;
  }

  /**
   * New tokens. Throws {@link UnavailableException}, or {@link MissingPermissionException} if the
   * machine's account may not act as the other: that is the deployment's fault, and never a job's.
   */
  @Override
  public SubmitterCredentials get() {
    Instant end = clock.instant().plus(LIFE).truncatedTo(ChronoUnit.SECONDS);
    try {
      return new SubmitterCredentials(access.get(), identity.get(), end);
    } catch (DeniedException e) {
      throw new MissingPermissionException("submitter: " + e.getMessage(), e);
    }
  }
}
