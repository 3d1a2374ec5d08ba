package dev.mayfly.cli;

import java.util.Arrays;
import picocli.CommandLine;

/** A word where a command stands that there is not. */
final class UnknownCommand {
  private UnknownCommand() {}

  /**
   * The arguments, and without a request for help if they name an unknown command: it would show
   * the help of the commands around it, as if the command were there.
   */
  static String[] withoutHelp(CommandLine line, String... args) {
    var command = line;
    for (var arg : args) {
      var inner = command.getSubcommands();
      if (inner.isEmpty() || arg.startsWith("-")) return args;
      if (!inner.containsKey(arg))
        return command.getCommandSpec().positionalParameters().isEmpty()
            ? Arrays.stream(args)
                .filter(it -> !HelpRequest.WORDS.contains(it))
                .toArray(String[]::new)
            : args;
      command = inner.get(arg);
    }
    return args;
  }
}
