package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.QuantityFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Reads {@code runner}: true, or an object that says when the program is started again. */
record RunnerReader(FieldReader job) {
  Optional<TaskEnvironment.Runner> rules() {
    if (!isWanted()) return Optional.empty();
    for (var field : List.of("gang", "image"))
      if (job.mapping().get(field).isPresent())
        job.addProblem(
            "runner", "is not for jobs with %s yet; leave one of both out".formatted(field));
    var rules = job.child("runner");
    return Optional.of(
        new TaskEnvironment.Runner(
            rules.mapping().get("restartAfter").map(_ -> (int) rules.integer("restartAfter", 1)),
            rules.read("restartAbove", QuantityFormat::bytes)));
  }

  private boolean isWanted() {
    return job.mapping().get("runner").orElse(null) instanceof SyntaxNode.Mapping
        || job.flag("runner");
  }

  /** The program is started once for many tasks, so no word of one task may be in its command. */
  void checkCommand(List<String> argv) {
    if (!isWanted()) return;
    for (var i = 0; i < argv.size(); i++)
      for (var word : new LinkedHashSet<>(TaskTemplate.placeholders(argv.get(i))))
        if (!word.equals("job"))
          job.addProblem(
              "command[" + i + "]",
              "{%s} is of one task, and a runner is started once for many; its program reads it from the line of each task"
                  .formatted(word));
  }
}
