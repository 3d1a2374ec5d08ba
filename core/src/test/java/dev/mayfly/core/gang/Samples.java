package dev.mayfly.core.gang;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.GangLimits;
import dev.mayfly.core.model.GangMember;
import dev.mayfly.core.model.GangOrder.Step;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.LeaseRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A run of two hosts in every phase, and every event. */
final class Samples {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  static final Instant LATER = NOW.plus(Duration.ofDays(2));
  static final LeaseRef LEASE = new LeaseRef("j1", 0, 1);
  static final HostId ZERO = new HostId("v4-a", 0);
  static final HostId ONE = new HostId("v4-a", 1);
  static final GangLimits LIMITS =
      new GangLimits(Duration.ofHours(1), Duration.ofMinutes(20), Duration.ofMinutes(5));
  static final GangLifecycle TABLE = new GangLifecycle(GangTimes.DEFAULT);

  private Samples() {}

  static Incarnation agent(HostId host) {
    return new Incarnation("i-" + host, "boot", NOW);
  }

  static String address(HostId host) {
    return "10.0.0." + (host.index() + 1);
  }

  static GangRun prepare() {
    return GangRun.first(
        LEASE,
        LIMITS,
        List.of(GangMember.of(ZERO, "10.0.0.1"), GangMember.of(ONE, "10.0.0.2")),
        GangTimes.DEFAULT,
        NOW);
  }

  static GangRun run() {
    return said(said(prepare(), ZERO, GangStage.PREPARED, 0), ONE, GangStage.PREPARED, 0);
  }

  static GangRun settle() {
    return said(run(), ZERO, GangStage.EXITED, 0);
  }

  static GangRun publish() {
    return said(settle(), ONE, GangStage.EXITED, 0);
  }

  static GangRun kill() {
    return said(run(), ONE, GangStage.EXITED, 1);
  }

  static GangRun done() {
    return said(publish(), ZERO, GangStage.PUBLISHED, 0);
  }

  static GangRun cleared() {
    return TABLE.on(TABLE.on(kill(), clear(ZERO)), clear(ONE));
  }

  static List<GangRun> phases() {
    return List.of(prepare(), run(), settle(), publish(), kill(), done(), cleared());
  }

  static GangRun said(GangRun run, HostId host, GangStage stage, int exit) {
    return TABLE.on(run, report(host, stage, exit));
  }

  static GangEvent report(HostId host, GangStage stage, int exit) {
    return said(host, agent(host), 1, stage, exit, 0, Optional.empty());
  }

  static GangEvent clear(HostId host) {
    return said(host, agent(host), 1, GangStage.IDLE, 0, 1, Optional.empty());
  }

  static GangEvent trouble(HostId host, boolean machine) {
    var trouble = new HostReport.Trouble(Cause.INFRASTRUCTURE, machine, "vfio is busy");
    return said(host, agent(host), 1, GangStage.IDLE, 0, 0, Optional.of(trouble));
  }

  static GangEvent anew(HostId host) {
    var other = new Incarnation("i-" + host, "boot", NOW.plusSeconds(9));
    return said(host, other, 0, GangStage.IDLE, 0, 0, Optional.empty());
  }

  /** A command that ended by itself and not well, so many seconds after the beginning. */
  static GangEvent failed(HostId host, int exit, int second, String text) {
    var trouble = Optional.of(new HostReport.Trouble(Cause.USER, false, text));
    return said(host, agent(host), 1, GangStage.EXITED, exit, 0, trouble, second);
  }

  private static GangEvent said(
      HostId host,
      Incarnation who,
      long run,
      GangStage stage,
      int exit,
      long cleared,
      Optional<HostReport.Trouble> trouble) {
    return said(host, who, run, stage, exit, cleared, trouble, 0);
  }

  private static GangEvent said(
      HostId host,
      Incarnation who,
      long run,
      GangStage stage,
      int exit,
      long cleared,
      Optional<HostReport.Trouble> trouble,
      int second) {
    var ended = Optional.of(NOW.plusSeconds(second)).filter(_ -> stage == GangStage.EXITED);
    return new GangEvent.Reported(
        NOW,
        new HostReport(
            LEASE, host, who, address(host), run, Step.RUN, stage, exit, ended, cleared, trouble));
  }

  static List<GangEvent> events() {
    return List.of(
        report(ZERO, GangStage.PREPARED, 0),
        report(ONE, GangStage.PREPARED, 0),
        report(ZERO, GangStage.EXITED, 0),
        report(ONE, GangStage.EXITED, 0),
        report(ONE, GangStage.EXITED, 1),
        report(ZERO, GangStage.PUBLISHED, 0),
        report(ONE, GangStage.PUBLISHED, 0),
        clear(ZERO),
        clear(ONE),
        trouble(ONE, true),
        anew(ONE),
        report(new HostId("another", 0), GangStage.EXITED, 1),
        new GangEvent.TimePassed(NOW),
        new GangEvent.TimePassed(LATER),
        new GangEvent.HostLost(NOW, ZERO, Cause.LOST, "silent"),
        new GangEvent.HostLost(NOW, ONE, Cause.LOST, "silent"),
        new GangEvent.HostGone(NOW, ZERO),
        new GangEvent.HostGone(NOW, ONE),
        new GangEvent.StopAsked(NOW, Cause.STOPPED, "stopped"));
  }
}
