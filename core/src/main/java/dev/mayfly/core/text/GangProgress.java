package dev.mayfly.core.text;

import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangRun;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Describes how far a run is, and which hosts it waits for. */
public final class GangProgress {
  private static final int HOSTS = 4;

  private GangProgress() {}

  /** Continues a sentence that begins with the task. */
  public static String describe(GangRun run) {
    var hosts = run.members().size();
    return switch (run.phase()) {
      case GangPhase.Prepare _ ->
          " is prepared on %d of %d hosts%s"
              .formatted(
                  count(run, m -> m.stage() != GangMemberStage.IDLE),
                  hosts,
                  rest(run, m -> m.stage() == GangMemberStage.IDLE));
      case GangPhase.Run _ ->
          " runs on %d of %d hosts%s"
              .formatted(
                  count(run, m -> m.stage() != GangMemberStage.PREPARED),
                  hosts,
                  rest(run, m -> m.stage() == GangMemberStage.PREPARED));
      case GangPhase.Settle _ ->
          " has ended on %d of %d hosts%s"
              .formatted(
                  count(run, m -> m.stage() == GangMemberStage.EXITED),
                  hosts,
                  rest(run, m -> m.stage() != GangMemberStage.EXITED));
      case GangPhase.Publish _ ->
          " has ended on all %d hosts; %s publishes it"
              .formatted(hosts, run.members().getFirst().host());
      case GangPhase.Kill kill ->
          " is being killed on %d hosts, because %s%s"
              .formatted(
                  hosts, kill.fault().reason(), rest(run, m -> m.stage() != GangMemberStage.CLEAR));
      case GangPhase.Done _ -> " is published; its hosts will be free soon";
      case GangPhase.Cleared _ -> " is cleared on all hosts, which will be free soon";
    };
  }

  private static long count(GangRun run, Predicate<GangMember> which) {
    return run.members().stream().filter(which).count();
  }

  private static String rest(GangRun run, Predicate<GangMember> which) {
    var names = run.members().stream().filter(which).map(m -> m.host().toString()).toList();
    if (names.isEmpty()) return "";
    var more = names.size() > HOSTS ? " and " + (names.size() - HOSTS) + " more" : "";
    return "; it waits for " + names.stream().limit(HOSTS).collect(Collectors.joining(", ")) + more;
  }
}
