package dev.mayfly.functions.handler;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.wire.Wire;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Who calls, by the identity token in the call. Cloud Run has checked its signature before the call
 * comes here, so only its claims are read.
 *
 * <p>It is asked before anything of the call's body is read.
 */
public sealed interface CallerAuthenticator {
  /**
   * One that may sync. Throws {@link Missing} or {@link DeniedException} for every other caller.
   */
  Caller authenticateAgent(HttpRequest request);

  /** The same for the one that has silence judged: another function of ours. */
  void authenticateWatcher(HttpRequest request);

  /** One that was let in. */
  interface Caller {
    /** Throws {@link DeniedException} unless the caller is what the report says that it is. */
    void checkReport(SyncReport report);
  }

  /** Nobody is asked: only on loopback, where the launch's secret has to do. */
  static CallerAuthenticator disabled() {
    return new Disabled();
  }

  /**
   * @param audience the URL that agents call
   */
  static CallerAuthenticator required(
      String audience, AllowedAccounts allowedAccounts, InstantSource clock) {
    return new Required(audience, allowedAccounts, clock);
  }

  /** There is no token, or none that can be read: 401. */
  final class Unauthenticated extends RuntimeException {
    Unauthenticated(String message) {
      super(message);
    }
  }

  /** See {@link #disabled}. */
  record Disabled() implements CallerAuthenticator {
    @Override
    public Caller authenticateAgent(HttpRequest request) {
      return report -> {};
    }

    @Override
    public void authenticateWatcher(HttpRequest request) {}
  }

  /** See {@link #required}. */
  record Required(String audience, AllowedAccounts accounts, InstantSource clock)
      implements CallerAuthenticator {
    private static final int LONGEST_TOKEN = 8 << 10;

    /** Google's numbers of machines; machines of one's own have other names. */
    private static final String NUMBER = "[0-9]+";

    /** As Google names them. */
    record Claims(
        Optional<String> aud,
        Optional<String> email,
        Optional<Boolean> email_verified,
        Optional<Long> exp,
        Optional<Google> google) {
      Optional<Machine> machine() {
        return google.flatMap(Google::compute_engine);
      }
    }

    record Google(Optional<Machine> compute_engine) {}

    record Machine(String instance_id) {}

    @Override
    public Caller authenticateAgent(HttpRequest request) {
      var claims = claims(request);
      var email = claims.email().orElse("");
      if (email.equals(accounts.agent()))
        return machine(
            claims
                .machine()
                .orElseThrow(() ->
                    new DeniedException(
                        "the identity token names no machine;"
                            + " ask the metadata server for one with format=full")));
      if (accounts.own().contains(email)) return own(email);
      throw new DeniedException(
          (email.isEmpty() ? "the identity token names no account" : email + " is no worker")
              + "; machines run as "
              + accounts.agent()
              + ", and machines of one's own as one of Terraform's people.static_workers");
    }

    /**
     * A machine of the agent's account. Only autoscale may start machines as that account, and so
     * its e-mail says that the machine is ours; which project the machine itself is in says no
     * more, and Google's TPU hosts may be in one of Google's.
     */
    private static Caller machine(Machine machine) {
      return report -> {
        var instance = report.incarnation().instanceId();
        if (!machine.instance_id().equals(instance))
          throw new DeniedException(
              "machine %s can't report for machine %s".formatted(machine.instance_id(), instance));
      };
    }

    private static Caller own(String email) {
      return report -> {
        var instance = report.incarnation().instanceId();
        if (instance.matches(NUMBER))
          throw new DeniedException(
              "%s speaks for machines of one's own, and not for machine %s of Google's"
                  .formatted(email, instance));
      };
    }

    @Override
    public void authenticateWatcher(HttpRequest request) {
      var claims = claims(request);
      if (!claims.email().equals(Optional.of(accounts.autoscale())) || claims.machine().isPresent())
        throw new DeniedException(
            "only " + accounts.autoscale() + " has silence judged; agents may sync");
    }

    private Claims claims(HttpRequest request) {
      var header = request.getFirstHeader("Authorization").orElse("");
      if (!header.startsWith("Bearer "))
        throw new Unauthenticated(
            "no identity token; send Authorization: Bearer TOKEN for " + audience);
      var claims = decode(header.substring("Bearer ".length()).strip());
      if (!claims.aud().equals(Optional.of(audience)))
        throw new DeniedException("the identity token is for another audience than " + audience);
      if (claims.email_verified().equals(Optional.of(false)))
        throw new DeniedException(
            "the identity token says that nobody verified its e-mail, "
                + claims.email().orElse("which it does not have"));
      if (claims.exp().isEmpty() || claims.exp().get() < clock.instant().getEpochSecond())
        throw new Unauthenticated("the identity token is too old; fetch a new one");
      return claims;
    }

    private static Claims decode(String token) {
      if (token.length() > LONGEST_TOKEN)
        throw new Unauthenticated("the identity token is too long");
      var parts = token.split("\\.", -1);
      try {
        if (parts.length == 3)
          return Wire.shared().read(Claims.class, Base64.getUrlDecoder().decode(parts[1]));
      } catch (IllegalArgumentException | InvalidInputException unreadable) {
        throw new Unauthenticated("the identity token can't be read: " + unreadable.getMessage());
      }
      throw new Unauthenticated("the identity token has not the three parts of one");
    }
  }
}
