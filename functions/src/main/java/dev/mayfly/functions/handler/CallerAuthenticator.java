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
 * Authenticates callers by the identity token in the call. Cloud Run has verified its signature
 * before, so only its claims are read.
 *
 * <p>Runs before the call's body is read.
 */
public sealed interface CallerAuthenticator {
  /**
   * Authenticates an agent. Throws {@link Unauthenticated} or {@link DeniedException} for any other
   * caller.
   */
  Caller authenticateAgent(HttpRequest request);

  /** Authenticates Mayfly's function autoscale, which starts liveness watches. */
  void authenticateWatcher(HttpRequest request);

  /** An authenticated caller. */
  interface Caller {
    /** Throws {@link DeniedException} unless the caller is the machine that the report names. */
    void checkReport(SyncReport report);
  }

  /** Without authentication: only on loopback, where the launch's secret must suffice. */
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

  /** There is no readable token: 401. */
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

    /** Google's machine ids; static workers have other names. */
    private static final String NUMBER = "[0-9]+";

    /** Named as in Google's tokens. */
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
          (email.isEmpty() ? "the identity token names no account" : email + " is not a worker")
              + "; machines run as "
              + accounts.agent()
              + ", and static workers as one of Terraform's people.static_workers");
    }

    /**
     * A machine of the agent's account. Only autoscale may start machines as that account, so its
     * email proves that the machine is Mayfly's. The machine's own project proves nothing more, and
     * Google's TPU hosts may be in a project of Google's.
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
              "%s speaks for static workers, not for Google's machine %s"
                  .formatted(email, instance));
      };
    }

    @Override
    public void authenticateWatcher(HttpRequest request) {
      var claims = claims(request);
      if (!claims.email().equals(Optional.of(accounts.autoscale())) || claims.machine().isPresent())
        throw new DeniedException(
            "only " + accounts.autoscale() + " may call /watch; agents call /v1/sync");
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
            "the identity token says that its email is not verified: "
                + claims.email().orElse("it has none"));
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
        throw new Unauthenticated("the identity token is unreadable: " + unreadable.getMessage());
      }
      throw new Unauthenticated("the identity token does not have three parts");
    }
  }
}
