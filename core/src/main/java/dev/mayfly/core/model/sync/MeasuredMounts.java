package dev.mayfly.core.model.sync;

import java.time.Instant;
import java.util.List;

/**
 * How full a worker's mounts are.
 *
 * @param at when it was last written; the worker may have sent later values since
 */
public record MeasuredMounts(Instant at, List<MountUse> uses) {
  public MeasuredMounts {
    uses = List.copyOf(uses);
  }
}
