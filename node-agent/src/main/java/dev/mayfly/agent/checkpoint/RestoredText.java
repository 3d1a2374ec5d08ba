package dev.mayfly.agent.checkpoint;

import dev.mayfly.core.port.ObjectUrl;
import java.time.temporal.ChronoUnit;

/** Words for a checkpoint that an attempt continues from: its time, and who made it from what. */
final class RestoredText {
  private RestoredText() {}

  static String of(
      ObjectUrl place, CheckpointStore.Restored restored, CheckpointSync.Attempt attempt) {
    var own = restored.manifest().job().equals(attempt.job());
    var changed = restored.maker().changed(attempt.maker());
    var text = "continues from " + checkpoint(restored, attempt);
    if (!changed.isEmpty()) text += ", with other " + changed;
    return own ? text : text + anew(place);
  }

  /** Which one it is. */
  static String checkpoint(CheckpointStore.Restored restored, CheckpointSync.Attempt attempt) {
    var manifest = restored.manifest();
    var own = manifest.job().equals(attempt.job());
    return "checkpoint %d, stored at %s by attempt %s of %s"
        .formatted(
            manifest.number(),
            restored.stored().truncatedTo(ChronoUnit.SECONDS),
            manifest.attempt(),
            own ? "this job" : "another job (" + other(restored) + ")");
  }

  private static String other(CheckpointStore.Restored restored) {
    var uid = restored.manifest().job();
    return restored.maker().address().map(name -> name + ", " + uid).orElse(uid);
  }

  private static String anew(ObjectUrl place) {
    return "; to begin anew, delete what is below "
        + place
        + " or put {job} into the job's checkpoint";
  }
}
