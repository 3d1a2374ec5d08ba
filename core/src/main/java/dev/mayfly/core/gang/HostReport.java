package dev.mayfly.core.gang;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Incarnation;
import java.util.Optional;

/**
 * What a host says of the run that it knows. Reports are admitted in their order, by sequence
 * number and incarnation; an overtaken one never comes this far.
 *
 * @param run the number of the newest run that it took an order of; 0 if none
 * @param exit the exit code when {@code stage} is {@link Stage#EXITED}
 * @param cleared the newest run of which it says, to an order to kill, that nothing is left and
 *     nothing will start; 0 if none
 */
public record HostReport(
    HostId host,
    Incarnation incarnation,
    long run,
    Stage stage,
    int exit,
    long cleared,
    Optional<Trouble> trouble) {
  /**
   * Why the host can't go on.
   *
   * @param machine whether the machine is to blame and has to be replaced, as with a device that
   *     stays busy
   */
  public record Trouble(Cause cause, boolean machine, String text) {}
}
