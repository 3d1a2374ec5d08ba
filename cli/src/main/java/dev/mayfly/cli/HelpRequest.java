package dev.mayfly.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** A request for help that stands before the command which it is about. */
final class HelpRequest {
  static final List<String> WORDS = List.of("-h", "--help");

  private HelpRequest() {}

  /**
   * The arguments with the request behind the command: where it stands first, it would be about all
   * commands. Other programs are asked for their version by an option, and for help by a command.
   */
  static String[] behindCommand(CommandLine line, String... args) {
    if (args.length > 0 && args[0].equals("--version")) {
      var named = args.clone();
      named[0] = "version";
      return named;
    }
    if (args.length > 0 && args[0].equals("help")) {
      var asked = Arrays.copyOfRange(args, 1, args.length + 1);
      asked[args.length - 1] = "--help";
      return asked;
    }
    var command = line;
    var request = -1;
    var behind = 0;
    for (var i = 0; i < args.length; i++) {
      if (WORDS.contains(args[i])) {
        request = i;
        continue;
      }
      if (args[i].startsWith("-") || command.getSubcommands().isEmpty()) break;
      behind = i + 1;
      if (!command.getSubcommands().containsKey(args[i])) break;
      command = command.getSubcommands().get(args[i]);
    }
    if (request < 0 || request > behind) return args;
    var moved = new ArrayList<>(Arrays.asList(args));
    moved.add(behind, args[request]);
    moved.remove(request);
    return moved.toArray(String[]::new);
  }
}
