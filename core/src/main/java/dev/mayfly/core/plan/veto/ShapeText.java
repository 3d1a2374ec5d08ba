package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;

/** Words why a pool is unsuitable, as the rest of a sentence about it. */
final class ShapeText {
  private ShapeText() {}

  static String of(ShapeVeto veto) {
    return switch (veto) {
      case ShapeVeto.NotNamed _ -> "the job's pools do not name it";
      case ShapeVeto.OnlyUrgent _ -> "it is kept for work that spot machines did not finish";
      case ShapeVeto.OtherLabels v ->
          v.has().isEmpty() ? "it has no labels" : "it has the labels " + LabelText.of(v.has());
      case ShapeVeto.OtherZones v ->
          "it is in "
              + String.join(", ", v.zones())
              + (v.locations().isEmpty()
                  ? ", not in the job's zones"
                  : ", not where the job's buckets are: " + String.join(", ", v.locations()));
      case ShapeVeto.WholeSlices _ ->
          "each task would run on all hosts of its slices; name it in the job's pools for that";
      case ShapeVeto.TooSmall v -> v.machineType() + " has " + lacks(v.need(), v.has());
      case ShapeVeto.NoWorkers _ -> "workers.max is 0";
      case ShapeVeto.NotMounted v -> "does not mount " + v.storage();
    };
  }

  private static String lacks(Resources need, Resources has) {
    var parts = new ArrayList<String>();
    for (var kind : HumanAmounts.Kind.values())
      if (kind.of(need) > kind.of(has)) parts.add(kind.say(has) + ", not " + kind.say(need));
    return HumanAmounts.phrase(parts);
  }
}
