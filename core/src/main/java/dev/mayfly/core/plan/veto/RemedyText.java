package dev.mayfly.core.plan.veto;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Locale;

/** Words remedies, each as the end of a sentence that says what was seen. */
final class RemedyText {
  /** What becomes of machines above a budget. */
  static final String CONTINUE = "machines that no task needs end, and running tasks continue";

  private RemedyText() {}

  static String of(Remedy remedy) {
    return switch (remedy) {
      // What is seen says it already: when it is tried again, what a machine lacks, what is
      // wrong in a document.
      case Remedy.Nothing _, Remedy.TriedAgain _, Remedy.MendMachines _, Remedy.MendDocument _ ->
          "";
      case Remedy.WorkEnds _ -> "wait until others end";
      case Remedy.RaiseMaximum r when PoolSpec.isFallback(r.pool()) ->
          "raise onDemand.max of pool %s to %d or more"
              .formatted(PoolSpec.stem(r.pool()), r.workers());
      case Remedy.RaiseMaximum r -> "raise workers.max to %d or more".formatted(r.workers());
      case Remedy.JoinMachines r -> "mayfly worker join --pool %s adds one".formatted(r.pool());
      case Remedy.RaiseBudget r ->
          String.format(
              Locale.ROOT,
              "raise budget.usdPerHour to %.2f, or wait until machines end",
              r.usdPerHour());
      case Remedy.RaiseMonth r ->
          "raise budget.usdPerMonth to %.0f or more (mayfly up with the changed file), or wait until the next month begins at %s"
              .formatted(r.usdPerMonth(), r.next());
      case Remedy.EndMachines _ -> CONTINUE + "; lower workers.max to end busy machines too";
      case Remedy.GivePrice _ -> "add it";
      case Remedy.AskForQuota _ -> "ask for more quota there";
      case Remedy.MendPool _ -> "fix the pool or the permissions";
      case Remedy.RaiseOwnerLimit r ->
          "raise that to %,d or more, or wait until some end".formatted(r.tasks());
      case Remedy.Uncordon r -> "mayfly uncordon %s ends that".formatted(r.name());
      case Remedy.NameNoWorkers _ -> "submit it without workers to let it run on others";
      case Remedy.AddOnDemand _ -> "write onDemand: {max: 4} in a spot pool";
      case Remedy.MendCommand _ ->
          "look for the mistake in the command or its environment rather than in a task's input";
      case Remedy.ReadLogs _ ->
          "their logs tell whether it is the command and its environment, or the input of these tasks";
      case Remedy.SmallerGang r -> "ask for a gang of at most %d".formatted(r.most());
      case Remedy.NamePools r -> "write pools: [%s]".formatted(String.join(", ", r.pools()));
      case Remedy.MountStorage r -> "add %s to that pool's storage".formatted(r.storage());
      case Remedy.AddLabels r -> "write labels: {%s} in a pool".formatted(LabelText.of(r.labels()));
      case Remedy.AddPool r ->
          "add a pool whose workers have %s".formatted(HumanAmounts.phrase(r.need()));
    };
  }
}
