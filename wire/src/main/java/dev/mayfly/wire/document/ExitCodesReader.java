package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.ExitCodeRule;
import java.util.ArrayList;
import java.util.List;

/** Reads a job's rules for exit codes; the schema has checked their form. */
record ExitCodesReader(FieldReader exitCodes) {
  List<ExitCodeRule> rules() {
    var rules = new ArrayList<ExitCodeRule>();
    for (var range : exitCodes.mapping().fields().keySet()) {
      if (!range.matches("[0-9]{1,3}(-[0-9]{1,3})?")) continue;
      var parts = range.split("-");
      var from = Integer.parseInt(parts[0]);
      var to = Integer.parseInt(parts[parts.length - 1]);
      if (from < 1 || to > ExitCodeRule.MOST || from > to)
        exitCodes.addProblem(
            range, "is not a range of exit codes; write 1 to 255, the lower first");
      else rules.add(new ExitCodeRule(from, to, action(exitCodes.text(range).orElse(""))));
    }
    return rules;
  }

  private static ExitCodeRule.Action action(String word) {
    return switch (word) {
      case "infrastructure" -> ExitCodeRule.Action.INFRASTRUCTURE;
      case "never" -> ExitCodeRule.Action.NEVER;
      default -> ExitCodeRule.Action.FAILURE;
    };
  }
}
