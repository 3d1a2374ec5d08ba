package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import java.time.Instant;
import java.util.Optional;

/** Which workers somebody looks at: nothing new starts there. */
public final class Cordons {
  private Cordons() {}

  /** The cordon that holds at a time; empty for a worker that ends anyway. */
  public static Optional<Cordon> of(Worker worker, Instant now) {
    // Few workers have one, and all are asked at each pass.
    if (worker.cordon().isEmpty()) return Optional.empty();
    return worker.cordon().filter(it -> it.holds(now) && worker.state().live());
  }
}
