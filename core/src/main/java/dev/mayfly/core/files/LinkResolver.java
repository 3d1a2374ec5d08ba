package dev.mayfly.core.files;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds what a link leads to, by its text alone and one name after the other, as the system would.
 * Nothing outside of the tree is looked at.
 */
final class LinkResolver {
  /** As many links in a row as Linux follows. */
  private static final int HOPS = 40;

  private final FileTree tree;

  LinkResolver(FileTree tree) {
    this.tree = tree;
  }

  sealed interface Resolution {
    record To(List<String> path, FileKind kind) implements Resolution {}

    record Fails(Obstacle obstacle) implements Resolution {}
  }

  /**
   * @param folder the one that the link is in
   */
  Resolution resolve(List<String> folder, FileKind.Link link) {
    if (link.target().isEmpty())
      return new Resolution.Fails(new Obstacle.Nowhere("a name that is not text"));
    return new Steps(folder, link.target().get()).go();
  }

  /** One resolution: a path from the top of the file system, and the names that are still to go. */
  private final class Steps {
    private final String target;
    private final List<String> root = tree.root();
    private final List<String> at = new ArrayList<>();
    private final Deque<String> ahead = new ArrayDeque<>();
    private FileKind kind = new FileKind.Folder();
    private int hops;

    Steps(List<String> folder, String target) {
      this.target = target;
      at.addAll(root);
      at.addAll(folder);
      follow(target);
    }

    Resolution go() {
      while (!ahead.isEmpty()) {
        var obstacle = step(ahead.pop());
        if (obstacle.isPresent()) return new Resolution.Fails(obstacle.get());
      }
      return isInside()
          ? new Resolution.To(inside(), kind)
          : new Resolution.Fails(new Obstacle.Outside(target));
    }

    private Optional<Obstacle> step(String name) {
      // Only a folder has names in it, "." too.
      if (!(kind instanceof FileKind.Folder)) return Optional.of(new Obstacle.Nowhere(target));
      if (name.equals(".")) return Optional.empty();
      if (name.equals("..")) {
        if (!at.isEmpty()) at.removeLast();
        return Optional.empty();
      }
      at.add(name);
      if (at.size() <= root.size())
        return root.subList(0, at.size()).equals(at)
            ? Optional.empty()
            : Optional.of(new Obstacle.Outside(target));
      return enter();
    }

    /** Looks at the name that was just added. */
    private Optional<Obstacle> enter() {
      var found = tree.find(inside());
      if (found.isEmpty()) return Optional.of(new Obstacle.Nowhere(target));
      if (!(found.get() instanceof FileKind.Link link)) {
        kind = found.get();
        return Optional.empty();
      }
      if (link.target().isEmpty()) return Optional.of(new Obstacle.Nowhere(target));
      if (++hops == HOPS) return Optional.of(new Obstacle.Ring(target));
      at.removeLast();
      follow(link.target().get());
      return Optional.empty();
    }

    private void follow(String text) {
      var names = names(text);
      if (text.startsWith("/")) {
        at.clear();
        for (var alias : tree.aliases())
          if (at.isEmpty() && startsWith(names, alias)) {
            at.addAll(root);
            names = names.subList(alias.size(), names.size());
          }
      }
      for (var name : names.reversed()) ahead.push(name);
    }

    private boolean isInside() {
      return startsWith(at, root);
    }

    private List<String> inside() {
      return List.copyOf(at.subList(root.size(), at.size()));
    }
  }

  private static List<String> names(String text) {
    var names = new ArrayList<String>();
    Collections.addAll(names, text.split("/+"));
    names.remove("");
    if (text.endsWith("/")) names.add(".");
    return names;
  }

  static boolean startsWith(List<String> path, List<String> beginning) {
    return path.size() >= beginning.size() && path.subList(0, beginning.size()).equals(beginning);
  }
}
