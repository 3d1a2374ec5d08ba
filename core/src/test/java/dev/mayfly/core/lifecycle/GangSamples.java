package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangOrder.Step;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.gang.GangTimeouts;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A run of two hosts in every phase, and every event. */
public final class GangSamples {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  static final Instant LATER = NOW.plus(Duration.ofDays(2));
  static final LeaseRef LEASE = new LeaseRef("j1", 0, 1);
  public static final HostId ZERO = new HostId("v4-a", 0);
  public static final HostId ONE = new HostId("v4-a", 1);
  static final GangTimeouts LIMITS =
      new GangTimeouts(Duration.ofHours(1), Duration.ofMinutes(20), Duration.ofMinutes(5));
  static final GangLifecycle TABLE = new GangLifecycle(GangPhaseTimeouts.DEFAULT);

  private GangSamples() {}

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
        GangPhaseTimeouts.DEFAULT,
        NOW);
  }

  public static GangRun run() {
    return reported(
        reported(prepare(), ZERO, GangMemberStage.PREPARED, 0), ONE, GangMemberStage.PREPARED, 0);
  }

  static GangRun settle() {
    return reported(run(), ZERO, GangMemberStage.EXITED, 0);
  }

  static GangRun publish() {
    return reported(settle(), ONE, GangMemberStage.EXITED, 0);
  }

  static GangRun kill() {
    return reported(run(), ONE, GangMemberStage.EXITED, 1);
  }

  static GangRun done() {
    return reported(publish(), ZERO, GangMemberStage.PUBLISHED, 0);
  }

  static GangRun cleared() {
    return TABLE.on(TABLE.on(kill(), clear(ZERO)), clear(ONE));
  }

  public static List<GangRun> phases() {
    return List.of(prepare(), run(), settle(), publish(), kill(), done(), cleared());
  }

  public static GangRun reported(GangRun run, HostId host, GangMemberStage stage, int exit) {
    return TABLE.on(run, report(host, stage, exit));
  }

  static GangEvent report(HostId host, GangMemberStage stage, int exit) {
    return reported(host, agent(host), 1, stage, exit, 0, Optional.empty());
  }

  /** The same of a host that has the order to kill. */
  static GangEvent killing(HostId host, GangMemberStage stage) {
    return reported(host, agent(host), 1, Step.KILL, stage, 0, 0, Optional.empty(), 0);
  }

  static GangEvent clear(HostId host) {
    return reported(host, agent(host), 1, GangMemberStage.IDLE, 0, 1, Optional.empty());
  }

  static GangEvent trouble(HostId host, boolean machine) {
    var trouble = new GangReport.Trouble(FailureCause.INFRASTRUCTURE, machine, "vfio is busy");
    return reported(host, agent(host), 1, GangMemberStage.IDLE, 0, 0, Optional.of(trouble));
  }

  static GangEvent anew(HostId host) {
    var other = new Incarnation("i-" + host, "boot", NOW.plusSeconds(9));
    return reported(host, other, 0, GangMemberStage.IDLE, 0, 0, Optional.empty());
  }

  /** A command that failed by itself, this many seconds after the start. */
  static GangEvent failed(HostId host, int exit, int second, String text) {
    var trouble = Optional.of(new GangReport.Trouble(FailureCause.USER, false, text));
    return reported(
        host, agent(host), 1, Step.RUN, GangMemberStage.EXITED, exit, 0, trouble, second);
  }

  private static GangEvent reported(
      HostId host,
      Incarnation who,
      long run,
      GangMemberStage stage,
      int exit,
      long cleared,
      Optional<GangReport.Trouble> trouble) {
    return reported(host, who, run, Step.RUN, stage, exit, cleared, trouble, 0);
  }

  private static GangEvent reported(
      HostId host,
      Incarnation who,
      long run,
      Step took,
      GangMemberStage stage,
      int exit,
      long cleared,
      Optional<GangReport.Trouble> trouble,
      int second) {
    var ended = Optional.of(NOW.plusSeconds(second)).filter(_ -> stage == GangMemberStage.EXITED);
    return new GangEvent.Reported(
        NOW,
        new GangReport(
            LEASE,
            host,
            who,
            address(host),
            Optional.empty(),
            Optional.empty(),
            run,
            took,
            stage,
            exit,
            ended,
            cleared,
            trouble));
  }

  static List<GangEvent> events() {
    return List.of(
        report(ZERO, GangMemberStage.PREPARED, 0),
        report(ONE, GangMemberStage.PREPARED, 0),
        report(ZERO, GangMemberStage.EXITED, 0),
        report(ONE, GangMemberStage.EXITED, 0),
        report(ONE, GangMemberStage.EXITED, 1),
        report(ZERO, GangMemberStage.PUBLISHED, 0),
        report(ONE, GangMemberStage.PUBLISHED, 0),
        clear(ZERO),
        clear(ONE),
        trouble(ONE, true),
        anew(ONE),
        report(new HostId("another", 0), GangMemberStage.EXITED, 1),
        new GangEvent.TimePassed(NOW),
        new GangEvent.TimePassed(LATER),
        new GangEvent.HostLost(NOW, ZERO, FailureCause.LOST, "silent"),
        new GangEvent.HostLost(NOW, ONE, FailureCause.LOST, "silent"),
        new GangEvent.HostGone(NOW, ZERO),
        new GangEvent.HostGone(NOW, ONE),
        new GangEvent.StopRequested(NOW, FailureCause.STOPPED, "stopped"));
  }
}
