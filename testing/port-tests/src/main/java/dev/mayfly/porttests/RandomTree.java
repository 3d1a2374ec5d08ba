package dev.mayfly.porttests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Folders with everything that people and programs leave in them. */
public final class RandomTree {
  private final Path root;
  private final Random random;
  private final List<Path> folders = new ArrayList<>();
  private final List<Path> all = new ArrayList<>();
  private final List<String> pipes = new ArrayList<>(List.of("mkfifo"));
  private int number;

  private RandomTree(Path root, Random random) {
    this.root = root;
    this.random = random;
    folders.add(root);
    all.add(root);
  }

  /** Fills an empty folder, whose path has no links in it. Equal seeds give equal trees. */
  public static void make(Path root, Random random) throws IOException, InterruptedException {
    var tree = new RandomTree(root, random);
    var outside = Files.createDirectory(root.resolveSibling("outside"));
    Files.writeString(outside.resolve("precious"), "precious");
    for (var i = 0; i < 25; i++) tree.add();
    tree.nameThatIsNotText();
    if (tree.pipes.size() > 1) run(tree.pipes);
  }

  private void add() throws IOException {
    var folder = folders.get(random.nextInt(folders.size()));
    var place = folder.resolve(name());
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> Files.writeString(place, "content of " + number);
      case 3, 4 -> folders.add(Files.createDirectory(place));
      case 5 -> pipes.add(place.toString());
      default -> Files.createSymbolicLink(place, Path.of(target(folder, place)));
    }
    all.add(place);
  }

  private String name() {
    number++;
    return switch (random.nextInt(12)) {
      case 0 -> "line\nbreak" + number;
      case 1 -> "back\\slash" + number;
      case 2 -> "d\u00e9j\u00e0 \ud83d\ude00" + number;
      case 3 -> ".hidden" + number;
      default -> "n" + number;
    };
  }

  private String target(Path folder, Path link) {
    var other = all.get(random.nextInt(all.size()));
    var above = root.resolve("..").normalize();
    return switch (random.nextInt(12)) {
      case 0 -> ".";
      case 1 -> "..";
      case 2 -> "nothing";
      case 3 -> "../".repeat(random.nextInt(4)) + "outside/precious";
      case 4 -> root.resolveSibling("outside").toString();
      case 5 -> link.getFileName().toString();
      case 6 -> other.toString();
      // Out of the folder and back.
      case 7 -> folder.relativize(above) + "/" + above.relativize(other);
      case 8 -> "./" + text(folder.relativize(other)) + "/.";
      // One that may come later, so that links lead to each other.
      case 9 -> "n" + random.nextInt(30);
      default -> text(folder.relativize(other));
    };
  }

  private static String text(Path path) {
    return path.toString().isEmpty() ? "." : path.toString();
  }

  /** Java cannot make one where names are UTF-8. */
  private void nameThatIsNotText() throws IOException, InterruptedException {
    if (random.nextInt(4) > 0) return;
    run(List.of("sh", "-c", "cd \"$1\" && touch \"$(printf 'b\\377')\"", "sh", root.toString()));
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    var code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) throw new IOException(command + " ended with exit code " + code);
  }
}
