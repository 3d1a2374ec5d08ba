package dev.mayfly.functions;

import com.google.cloud.functions.HttpRequest;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.wire.Wire;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Which machine calls, by the identity token in the call. Cloud Run has checked its signature
 * before the call comes here, so only its claims are read (PROTOCOL 1).
 */
sealed interface Identity {
  /** Throws {@link Missing} or {@link Denied} unless the caller may report as it does. */
  void mayReport(HttpRequest request, SyncReport report);

  /** The same for one that is no machine: another function of ours. */
  void mayWatch(HttpRequest request);

  /** Nobody is asked: only on loopback, where the launch's secret has to do. */
  static Identity notAsked() {
    return new NotAsked();
  }

  /**
   * @param audience the URL that agents call
   * @param account what machines run as; empty: any that Cloud Run lets in
   */
  static Identity required(
      String audience, String project, Optional<String> account, InstantSource clock) {
    return new Required(audience, project, account, clock);
  }

  /** There is no token, or none that can be read: 401. */
  final class Missing extends RuntimeException {
    Missing(String message) {
      super(message);
    }
  }

  /** See {@link #notAsked}. */
  record NotAsked() implements Identity {
    @Override
    public void mayReport(HttpRequest request, SyncReport report) {}

    @Override
    public void mayWatch(HttpRequest request) {}
  }

  /** See {@link #required}. */
  record Required(String audience, String project, Optional<String> account, InstantSource clock)
      implements Identity {
    /** Google's numbers of machines; machines of one's own have other names. */
    private static final String NUMBER = "[0-9]+";

    /** As Google names them. */
    record Claims(
        Optional<String> aud,
        Optional<String> email,
        Optional<Long> exp,
        Optional<Google> google) {}

    record Google(Optional<Machine> compute_engine) {}

    record Machine(String instance_id, String project_id) {}

    @Override
    public void mayReport(HttpRequest request, SyncReport report) {
      var claims = claims(request);
      var machine = claims.google().flatMap(Google::compute_engine);
      var instance = report.incarnation().instanceId();
      if (machine.isEmpty()) {
        if (instance.matches(NUMBER))
          throw new Denied(
              "the identity token names no machine, and the report is of machine "
                  + instance
                  + "; ask the metadata server for one with format=full");
        return;
      }
      if (!machine.get().instance_id().equals(instance))
        throw new Denied(
            "machine %s can't report for machine %s"
                .formatted(machine.get().instance_id(), instance));
      if (!machine.get().project_id().equals(project))
        throw new Denied("machine " + instance + " is of another project");
      if (account.isPresent() && !account.equals(claims.email()))
        throw new Denied("machine " + instance + " does not run as " + account.get());
    }

    @Override
    public void mayWatch(HttpRequest request) {
      var claims = claims(request);
      var machine = claims.google().flatMap(Google::compute_engine).isPresent();
      if (machine || (account.isPresent() && account.equals(claims.email())))
        throw new Denied("machines may sync only");
    }

    private Claims claims(HttpRequest request) {
      var header = request.getFirstHeader("Authorization").orElse("");
      if (!header.startsWith("Bearer "))
        throw new Missing("no identity token; send Authorization: Bearer TOKEN for " + audience);
      var claims = decode(header.substring("Bearer ".length()).strip());
      if (!claims.aud().equals(Optional.of(audience)))
        throw new Denied("the identity token is for another audience than " + audience);
      if (claims.exp().isEmpty() || claims.exp().get() < clock.instant().getEpochSecond())
        throw new Missing("the identity token is too old; fetch a new one");
      return claims;
    }

    private static Claims decode(String token) {
      var parts = token.split("\\.", -1);
      try {
        if (parts.length == 3)
          return Wire.shared().read(Claims.class, Base64.getUrlDecoder().decode(parts[1]));
      } catch (IllegalArgumentException | Invalid unreadable) {
        throw new Missing("the identity token can't be read: " + unreadable.getMessage());
      }
      throw new Missing("the identity token has not the three parts of one");
    }
  }
}
