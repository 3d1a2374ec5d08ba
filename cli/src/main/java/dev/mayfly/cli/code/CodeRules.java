package dev.mayfly.cli.code;

import dev.mayfly.cli.code.IgnoreFile.Effect;
import dev.mayfly.core.files.FileKind;
import dev.mayfly.core.files.FileTree.Entry;
import dev.mayfly.core.files.Obstacle.Unwanted;
import dev.mayfly.core.files.Obstacle.Unwanted.Rule;
import dev.mayfly.core.files.WalkFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What of a folder is not code: what git ignores, generated folders, environments, and what {@code
 * .mayflyignore} names, which has the last word.
 */
final class CodeRules implements WalkFilter {
  private static final String GIT = ".git";

  /** Folder names at any depth. Their content is large, generated and specific to this machine. */
  private static final Set<String> GENERATED = Set.of("__pycache__", "node_modules", ".venv");

  private final IgnoreFile ignoreFile;
  private final Function<String, Set<String>> git;
  private final Set<String> ignored;
  private final Set<String> repositories = new HashSet<>();
  private final Set<String> environments = new HashSet<>();

  /**
   * @param ignored what git ignores in the whole folder
   * @param git the same of a repository in it, by its path
   */
  CodeRules(IgnoreFile ignoreFile, Set<String> ignored, Function<String, Set<String>> git) {
    this.ignoreFile = ignoreFile;
    this.git = git;
    this.ignored = new HashSet<>(ignored);
  }

  @Override
  public Optional<Unwanted> unwanted(String path, FileKind kind) {
    var rule = Optional.<Rule>empty();
    for (var end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      var isLast = end < 0;
      var part = isLast ? path : path.substring(0, end);
      var name = part.substring(part.lastIndexOf('/') + 1);
      if (name.equals(GIT)) return Optional.of(new Unwanted(Rule.REPOSITORY));
      if (GENERATED.contains(name) && !(isLast && kind instanceof FileKind.Regular))
        rule = Optional.of(Rule.GENERATED);
      if (environments.contains(part)) rule = Optional.of(Rule.ENVIRONMENT);
      if (ignored.contains(part)) rule = Optional.of(Rule.GIT);
      var effect = ignoreFile.effect(part);
      if (effect.isPresent())
        rule = effect.get() == Effect.BROUGHT ? Optional.empty() : Optional.of(Rule.NAMED);
      if (isLast) return rule.map(Unwanted::new);
    }
  }

  @Override
  public boolean looksInside() {
    return true;
  }

  /** A repository in the folder has rules of its own. */
  @Override
  public Optional<Unwanted> unwanted(String folder, List<Entry> entries) {
    if (entries.stream().anyMatch(entry -> entry.name().equals(GIT)) && repositories.add(folder))
      git.apply(folder).forEach(name -> ignored.add(folder + "/" + name));
    if (entries.stream().noneMatch(CodeRules::isOfEnvironment)
        || ignoreFile.effect(folder).equals(Optional.of(Effect.BROUGHT))) return Optional.empty();
    environments.add(folder);
    return Optional.of(new Unwanted(Rule.ENVIRONMENT));
  }

  private static boolean isOfEnvironment(Entry entry) {
    return switch (entry.kind()) {
      case FileKind.Folder _ -> entry.name().equals("conda-meta");
      default -> entry.name().equals("pyvenv.cfg");
    };
  }

  @Override
  public boolean mayWantBelow(String folder) {
    return ignoreFile.mayBringBelow(folder);
  }
}
