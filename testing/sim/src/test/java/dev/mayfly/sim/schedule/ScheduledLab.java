package dev.mayfly.sim.schedule;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserCommand.ChangeSchedule.Action;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One cluster with schedules, in which it is 10:00 UTC at first. */
final class ScheduledLab {
  static final ScheduleRule HOURLY = ScheduleRule.every(Duration.ofHours(1));
  final LabCluster labCluster = new LabCluster(4);

  ScheduledLab() {
    goTo("10:00");
  }

  static Instant at(String time) {
    return Instant.parse("2026-01-31T" + time + ":00Z");
  }

  static UserCommand of(JobSpec spec, ScheduleRule rule) {
    return new UserCommand.SubmitJob(spec, Optional.empty(), Optional.of(rule));
  }

  UserMessage store(String name, ScheduleRule rule) {
    return labCluster.publish(of(LabCluster.count(name, 1), rule));
  }

  UserMessage change(String name, Action action) {
    return labCluster.publishLate(new UserCommand.ChangeSchedule("lab", name, action));
  }

  void goTo(String time) {
    labCluster.advance(Duration.between(labCluster.time.instant(), at(time)).toMillis());
  }

  void tick() {
    labCluster.controlPlane.handle(new Trigger.Tick());
    labCluster.deliver();
  }

  void tickAt(String time) {
    goTo(time);
    tick();
  }

  void stopAll() {
    for (var job : labCluster.jobs())
      if (!job.state().ended()) labCluster.stop(job.spec().address());
    labCluster.deliver();
  }

  List<String> jobs() {
    return labCluster.jobs().stream().map(j -> j.spec().name()).sorted().toList();
  }

  ScheduleStatus seen(String name) {
    return labCluster.controlPlane.statusQueries().cluster("lab").schedules().stream()
        .filter(s -> s.address().equals(name))
        .findFirst()
        .orElseThrow();
  }

  List<String> events(String name) {
    return labCluster
        .controlPlane
        .statusQueries()
        .events("lab", Optional.of("schedule/" + name), 99)
        .stream()
        .map(EventRecord::what)
        .filter(what -> !what.equals("received"))
        .toList();
  }

  String newest(String name, String what) {
    return labCluster
        .controlPlane
        .statusQueries()
        .events("lab", Optional.of("schedule/" + name), 99)
        .stream()
        .filter(e -> e.what().equals(what))
        .findFirst()
        .map(EventRecord::why)
        .orElseThrow();
  }
}
