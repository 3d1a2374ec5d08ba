package dev.mayfly.wire.syntax;

import java.util.HashSet;
import java.util.Set;

/**
 * Which texts of a document a shell reads: scripts, and commands that call one. In these {@code
 * ${name}} is the shell's. Elsewhere it would arrive as these characters, which nobody means.
 */
record ShellTexts(Set<String> commands) {
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "busybox");

  static ShellTexts of(SyntaxNode.Mapping document) {
    var commands = new HashSet<String>();
    for (var path : Set.of("command", "setup.command"))
      if (document.at(path) instanceof SyntaxNode.Sequence argv && callsShell(argv))
        commands.add(path);
    return new ShellTexts(Set.copyOf(commands));
  }

  private static boolean callsShell(SyntaxNode.Sequence argv) {
    return argv.items().stream()
        .anyMatch(word ->
            word instanceof SyntaxNode.Text(String text, _)
                && SHELLS.contains(text.substring(text.lastIndexOf('/') + 1)));
  }

  boolean has(String path) {
    return path.endsWith(".script") || commands.contains(path.replaceFirst("\\[\\d+\\]$", ""));
  }

  /**
   * @param known whether {word} without the {@code $} has a value there
   */
  static String refusal(String word, boolean known) {
    var remedy = known ? "write {%1$s}" : "set %1$s under variables and write {%1$s}";
    return ("${%1$s} is for a shell, and none reads this; "
            + remedy
            + ", or ${{%1$s}} for the text ${%1$s}")
        .formatted(word);
  }
}
