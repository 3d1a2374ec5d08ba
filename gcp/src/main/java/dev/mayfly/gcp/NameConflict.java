package dev.mayfly.gcp;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The name of an ordered machine is taken: by the machine that was wanted, or by another. */
public final class NameConflict {
  private NameConflict() {}

  /**
   * Sorts the two by the labels of cluster and worker.
   *
   * @param found the machine that has the name now
   * @param code Google's word for a name that is taken
   * @param noun what is ordered, for people
   * @throws UnavailableException if the name is free again: the order may be repeated
   */
  public static Ordered resolve(
      Order order, Optional<CloudMachine> found, String code, String noun, Throwable cause) {
    var there =
        found.orElseThrow(() ->
            new UnavailableException(order.name() + " was taken, and then was not there", cause));
    if (isOrdered(order, there)) return new Ordered.Exists(there);
    return new Ordered.Refused(
        new Refusal(
            Refusal.Kind.INVALID,
            code,
            "%s is another's %s; choose another name".formatted(order.name(), noun)));
  }

  private static boolean isOrdered(Order order, CloudMachine there) {
    return List.of(CloudMachine.CLUSTER, CloudMachine.WORKER).stream()
        .allMatch(key ->
            order.labels().containsKey(key)
                && Objects.equals(there.labels().get(key), order.labels().get(key)));
  }
}
