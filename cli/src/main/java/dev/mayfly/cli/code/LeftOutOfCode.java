package dev.mayfly.cli.code;

import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.Obstacle;
import dev.mayfly.core.files.Obstacle.Unwanted;
import dev.mayfly.core.files.Obstacle.Unwanted.Rule;
import dev.mayfly.core.port.ObjectNames;
import java.util.ArrayList;
import java.util.List;

/**
 * What a folder's code is packed without, as far as its user has not asked for that.
 *
 * @param folders generated ones, and environments
 * @param git what git ignores: files, and folders as a whole
 * @param special pipes, sockets and devices
 * @param idle lines of {@code .mayflyignore} that should bring something along and do not
 */
public record LeftOutOfCode(
    List<String> folders, List<String> git, List<String> special, List<String> idle) {
  private static final int MOST_NAMED = 3;

  public LeftOutOfCode {
    folders = List.copyOf(folders);
    git = List.copyOf(git);
    special = List.copyOf(special);
    idle = List.copyOf(idle);
  }

  static LeftOutOfCode of(List<Unstored> leftOut, List<String> idle) {
    var folders = new ArrayList<String>();
    var git = new ArrayList<String>();
    var special = new ArrayList<String>();
    for (var one : leftOut) {
      switch (one.obstacle()) {
        case Unwanted(Rule rule) -> {
          switch (rule) {
            case GENERATED, ENVIRONMENT -> folders.add(one.path());
            case GIT -> git.add(one.path());
            // The person has named it, or knows that a repository is no code.
            case NAMED, REPOSITORY -> {}
          }
        }
        case Obstacle _ -> special.add(one.path());
      }
    }
    return new LeftOutOfCode(folders, git, special, idle);
  }

  /** What follows the code's size in its line; empty if there is nothing to say. */
  public String words() {
    var words = new StringBuilder();
    if (!folders.isEmpty())
      words
          .append("; ")
          .append(folders.size() == 1 ? "1 folder" : "%,d folders".formatted(folders.size()))
          .append(" left out: ")
          .append(named(folders))
          .append(" (to include one, write !NAME into .mayflyignore)");
    if (!git.isEmpty())
      words.append("; %,d ignored by git: ".formatted(git.size())).append(named(git));
    if (!special.isEmpty())
      words
          .append("; left out, as pipes, sockets and devices hold nothing: ")
          .append(named(special));
    for (var line : idle)
      words.append("; '%s' in .mayflyignore brings nothing along".formatted(line));
    return words.toString();
  }

  private static String named(List<String> names) {
    var named = names.stream().limit(MOST_NAMED).map(ObjectNames::printable).toList();
    var more = names.size() - named.size();
    return String.join(", ", named) + (more > 0 ? ", and %,d more".formatted(more) : "");
  }
}
