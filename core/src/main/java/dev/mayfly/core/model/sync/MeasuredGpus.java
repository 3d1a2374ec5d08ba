package dev.mayfly.core.model.sync;

import java.time.Instant;
import java.util.List;

/**
 * How busy and how full a worker's GPUs are.
 *
 * @param at when it was last written; the worker may have sent later values since
 */
public record MeasuredGpus(Instant at, List<GpuUse> uses) {
  public MeasuredGpus {
    uses = List.copyOf(uses);
  }
}
