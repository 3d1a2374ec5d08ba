import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Removes unused classes from jars of generated code.
 *
 * <p>{@code java Prune.java FOLDER PREFIX...}: any jar below the folder may refer to a class. Jars
 * whose names begin with a prefix lose the classes that are not reachable from a class outside of
 * them. That is safe for Google's messages and clients, which code refers to by name, but not for
 * code that looks up classes by text.
 */
final class Prune {
  /** Class names in descriptors, signatures and text. */
  private static final Pattern NAME = Pattern.compile("[\\w$]+(?:/[\\w$]+)+");

  private final Map<String, byte[]> prunable = new HashMap<>();
  private final ArrayDeque<byte[]> reached = new ArrayDeque<>();
  private final Set<String> kept = new HashSet<>();

  public static void main(String[] arguments) throws IOException {
    var prefixes = List.of(arguments).subList(1, arguments.length);
    var prune = new Prune();
    var generated = new ArrayList<Path>();
    try (var jars = Files.walk(Path.of(arguments[0]))) {
      for (var jar : jars.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
        var name = jar.getFileName().toString();
        var ours = prefixes.stream().anyMatch(prefix -> name.matches(prefix + "-[0-9].*"));
        if (ours) generated.add(jar);
        prune.read(jar, ours);
      }
    }
    prune.follow();
    for (var jar : generated) prune.rewrite(jar);
  }

  private void read(Path jar, boolean ours) throws IOException {
    try (var files = FileSystems.newFileSystem(jar)) {
      for (var file : classes(files)) {
        var bytes = Files.readAllBytes(file);
        if (ours) prunable.put(name(file), bytes);
        else reached.add(bytes);
      }
    }
  }

  private static List<Path> classes(FileSystem jar) throws IOException {
    try (var all = Files.walk(jar.getPath("/"))) {
      return all.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private static String name(Path file) {
    var text = file.toString();
    return text.substring(1, text.length() - ".class".length());
  }

  private void follow() {
    while (!reached.isEmpty())
      for (var entry : ClassFile.of().parse(reached.remove()).constantPool())
        switch (entry) {
          case ClassEntry type -> reach(type.asInternalName());
          case Utf8Entry text -> reachAll(text.stringValue());
          default -> {}
        }
  }

  private void reachAll(String text) {
    var names = NAME.matcher(text);
    while (names.find()) {
      reach(names.group());
      if (names.group().startsWith("L")) reach(names.group().substring(1));
    }
  }

  private void reach(String name) {
    var bytes = prunable.get(name);
    if (bytes != null && kept.add(name)) reached.add(bytes);
  }

  private void rewrite(Path jar) throws IOException {
    try (var files = FileSystems.newFileSystem(jar)) {
      classes(files).stream().filter(file -> !kept.contains(name(file))).forEach(Prune::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
