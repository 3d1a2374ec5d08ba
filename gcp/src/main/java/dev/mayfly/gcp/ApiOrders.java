package dev.mayfly.gcp;

import com.google.api.gax.rpc.ApiException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Orders of machines from one API: what the API's answers mean.
 *
 * @param noun what is ordered, for people
 * @param taken the API's word for a name that is taken
 */
public record ApiOrders(ApiCalls calls, String noun, String taken) {
  /**
   * Orders a machine.
   *
   * @param call calls the API; may throw {@link ApiException} and {@link IllegalArgumentException}
   * @param find finds the machine that has the order's name
   */
  public Ordered order(Order order, Supplier<Ordered> call, Supplier<Optional<CloudMachine>> find) {
    try {
      return call.get();
    } catch (IllegalArgumentException e) {
      return invalid("invalid", String.valueOf(e.getMessage()));
    } catch (ApiException e) {
      var error = calls.errors().apply(e);
      if (error.isConflict()) return existing(order, find.get(), e);
      return error
          .orderRefusal()
          .<Ordered>map(Ordered.Refused::new)
          .orElseThrow(() -> error.exception("Ordering " + noun + " " + order.name(), e));
    }
  }

  /** The name is taken: by the machine that was ordered, or by another. */
  private Ordered existing(Order order, Optional<CloudMachine> found, ApiException cause) {
    var there =
        found.orElseThrow(() ->
            new UnavailableException(order.name() + " was taken, and then was not there", cause));
    return isOrdered(order, there)
        ? new Ordered.Exists(there)
        : invalid(taken, "%s is another's %s; choose another name".formatted(order.name(), noun));
  }

  private static boolean isOrdered(Order order, CloudMachine there) {
    return List.of(CloudMachine.CLUSTER, CloudMachine.WORKER).stream()
        .allMatch(key ->
            order.labels().containsKey(key)
                && Objects.equals(there.labels().get(key), order.labels().get(key)));
  }

  private static Ordered invalid(String code, String message) {
    return new Ordered.Refused(new Refusal(Refusal.Kind.INVALID, code, message));
  }

  /** The answer to an order that is under way, or failed at once. */
  public static Ordered ordered(String operation, Optional<Refusal> failure) {
    return failure
        .<Ordered>map(Ordered.Refused::new)
        .orElseGet(() -> new Ordered.Accepted(operation));
  }

  /** The progress of an operation that has ended. */
  public static Progress ended(Optional<Refusal> failure) {
    return failure.<Progress>map(Progress.Failed::new).orElseGet(Progress.Done::new);
  }

  /** Whether Mayfly ordered the machine; one without its label belongs to another owner. */
  public static boolean isOurs(CloudMachine cloudMachine) {
    return cloudMachine.labels().containsKey(CloudMachine.CLUSTER);
  }
}
