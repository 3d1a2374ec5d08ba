package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.cluster.Provisioning;
import java.time.Instant;
import java.util.Optional;

/** Why a zone is asked for no machine of a pool now. */
public sealed interface ZoneVeto extends Veto {
  String pool();

  String zone();

  /** The same of a zone that would not be asked anyway: it says no time of a next try. */
  default ZoneVeto over() {
    var none = Optional.<Instant>empty();
    return switch (this) {
      case Refused v ->
          new Refused(
              v.cause(),
              v.pool(),
              v.zone(),
              v.place(),
              v.machineType(),
              v.how(),
              v.code(),
              v.said(),
              v.times(),
              v.at(),
              none);
      case ShortLived v ->
          new ShortLived(
              v.pool(), v.zone(), v.machineType(), v.how(), v.taken(), v.lost(), v.at(), none);
      case NeverBooted v ->
          new NeverBooted(
              v.pool(), v.zone(), v.machineType(), v.how(), v.started(), v.times(), v.at(), none);
      case GangIncomplete v -> v;
    };
  }

  /**
   * The cloud refused machines there.
   *
   * @param place the zone, or with a lack of quota its region
   * @param code the cloud's own word
   * @param said the cloud's own sentence; empty if it said none
   * @param times in the time that is remembered
   * @param at when it did so last
   * @param next when it is asked again; empty if it may be asked now
   */
  record Refused(
      Cause cause,
      String pool,
      String zone,
      String place,
      String machineType,
      Provisioning how,
      String code,
      String said,
      long times,
      Instant at,
      Optional<Instant> next)
      implements ZoneVeto {}

  /** What the cloud lacks. */
  enum Cause {
    /** Machines of the type. */
    STOCK,
    /** The project's quota. */
    QUOTA,
    /** A right, or a machine that can exist: only a person can fix it. */
    SPEC,
    /** Unknown. */
    UNCLEAR
  }

  /**
   * Machines were taken back, or were lost, soon after their start.
   *
   * @param taken how often the cloud took one back, in the time that is remembered
   * @param lost how often one was lost then, as by a failure of its host
   * @param at the last time
   * @param next when it is asked again; empty if it may be asked now
   */
  record ShortLived(
      String pool,
      String zone,
      String machineType,
      Provisioning how,
      long taken,
      long lost,
      Instant at,
      Optional<Instant> next)
      implements ZoneVeto {}

  /**
   * A machine was ordered there, accepted, and given up because it never reported.
   *
   * @param started whether the cloud ran the last one
   * @param times in the time that is remembered
   * @param at when the last one was given up
   * @param next when it is asked again; empty if it may be asked now
   */
  record NeverBooted(
      String pool,
      String zone,
      String machineType,
      Provisioning how,
      boolean started,
      long times,
      Instant at,
      Optional<Instant> next)
      implements ZoneVeto {}

  /**
   * It had only a part of a gang.
   *
   * @param until when a whole gang is requested again
   */
  record GangIncomplete(String pool, String zone, int gang, Instant until) implements ZoneVeto {}
}
