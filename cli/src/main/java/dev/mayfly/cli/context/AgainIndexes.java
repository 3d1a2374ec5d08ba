package dev.mayfly.cli.context;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.wire.ParsedDocument;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The tasks that {@code submit --again} names. Its word is taken only if it begins like an index,
 * so that a file may follow the option.
 *
 * @param tasks empty for all
 */
public record AgainIndexes(Optional<TaskRanges> tasks) implements IParameterConsumer {
  /** For picocli, which makes the consumer. */
  public AgainIndexes() {
    this(Optional.empty());
  }

  /** The document in which these tasks run again. */
  public ParsedDocument in(ParsedDocument job) {
    return tasks.map(job::runningAgain).orElseGet(job::runningAgain);
  }

  @Override
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty() || !words.peek().matches("[0-9][-0-9,]*")) {
      option.setValue(new AgainIndexes());
      return;
    }
    var word = words.pop();
    try {
      option.setValue(new AgainIndexes(Optional.of(TaskRanges.parse(word))));
    } catch (IllegalArgumentException wrong) {
      throw CommandException.input("--again " + word + " " + wrong.getMessage());
    }
  }
}
