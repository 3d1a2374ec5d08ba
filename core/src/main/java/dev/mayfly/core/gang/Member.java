package dev.mayfly.core.gang;

import dev.mayfly.core.model.Incarnation;
import java.util.Optional;

/**
 * One host of a run as the control plane knows it; its place in the run's list is its rank.
 *
 * @param address where its peers reach it
 * @param incarnation the agent that prepared the run: another one on the same machine knows nothing
 *     of it
 * @param exit the command's exit code, once it is {@link Stage#EXITED}
 * @param bad why its machine is to be given up, if it is
 */
public record Member(
    HostId host,
    String address,
    Optional<Incarnation> incarnation,
    Stage stage,
    int exit,
    Optional<String> bad) {
  public static Member of(HostId host, String address) {
    return new Member(host, address, Optional.empty(), Stage.IDLE, 0, Optional.empty());
  }

  Member at(Stage next) {
    return new Member(host, address, incarnation, next, exit, bad);
  }

  Member heard(HostReport report) {
    return new Member(
        host, address, Optional.of(report.incarnation()), report.stage(), report.exit(), bad);
  }

  Member bad(String why) {
    return new Member(host, address, incarnation, stage, exit, Optional.of(bad.orElse(why)));
  }
}
