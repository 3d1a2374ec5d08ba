package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Compute Engine's rules of machines that start flexibly. */
public final class FlexStart {
  /** How long it keeps a request for a machine at most, and for how long each order asks. */
  public static final Duration WAIT = Duration.ofHours(2);

  /** How long such a machine lives at most. */
  public static final Duration LONGEST_LIFE = Duration.ofDays(7);

  private FlexStart() {}

  /** Since when the cloud keeps the worker's request; empty if that is not what it waits for. */
  public static Optional<Instant> since(Worker worker) {
    return worker.provisioning() == Provisioning.FLEX_START
            && worker.state() instanceof WorkerState.Booting booting
            && booting.queue().isPresent()
        ? Optional.of(booting.since())
        : Optional.empty();
  }

  /** Until when the cloud keeps a request; then its zone counts as one without stock. */
  public static Instant until(Instant since) {
    return since.plus(WAIT);
  }
}
