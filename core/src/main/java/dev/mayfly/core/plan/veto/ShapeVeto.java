package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.Resources;
import java.util.List;
import java.util.Map;

/**
 * Why no worker of a pool could ever run a task of a job, as both are written: shapes and limits
 * alone, never stock or current load.
 */
public sealed interface ShapeVeto extends Veto {
  /** The job's pools do not name it. */
  record NotNamed() implements ShapeVeto {}

  /** It is kept for work that spot machines did not finish. */
  record OnlyUrgent() implements ShapeVeto {}

  /**
   * Its workers lack labels that the job asks for.
   *
   * @param has what they have
   */
  record OtherLabels(Map<String, String> has) implements ShapeVeto {
    public OtherLabels {
      has = Map.copyOf(has);
    }
  }

  /**
   * None of its zones is allowed.
   *
   * @param zones of the pool
   * @param locations of the job's buckets, if these decide
   */
  record OtherZones(List<String> zones, List<String> locations) implements ShapeVeto {
    public OtherZones {
      zones = List.copyOf(zones);
      locations = List.copyOf(locations);
    }
  }

  /** Each task would run on all hosts of a slice, which the job does not ask for. */
  record WholeSlices() implements ShapeVeto {}

  /**
   * @param has what a task may use of one machine
   */
  record TooSmall(String machineType, Resources need, Resources has) implements ShapeVeto {}

  /** Its maximum of workers is 0. */
  record NoWorkers() implements ShapeVeto {}

  /** Its machines do not mount a storage that the job names. */
  record NotMounted(String storage) implements ShapeVeto {}
}
