package dev.mayfly.agent.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.OpenFolder;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What an installer reads of the job's code when it is given a file of requirements: that file, the
 * files that it includes, and packages that are folders or archives of the code.
 */
final class Requirements {
  private static final int LARGEST = 1 << 20;

  private static final Set<String> INCLUDES = Set.of("-r", "--requirement", "-c", "--constraint");
  private static final Set<String> EDITABLES = Set.of("-e", "--editable");
  private static final Set<String> PLACES =
      Set.of("-f", "--find-links", "-i", "--index-url", "--extra-index-url");

  /** An option and its value: {@code -r base.txt}, {@code --requirement=base.txt}. */
  private static final Pattern OPTION = Pattern.compile("(--[a-z-]+|-[a-z])(?:\\s*=\\s*|\\s*)(.*)");

  private static final Pattern ARCHIVE =
      Pattern.compile("[^\\s:]+\\.(whl|zip|tar|tgz|tar\\.(gz|bz2|xz))");

  /** {@code name[extra] @} before a place. */
  private static final Pattern NAMED = Pattern.compile("^[\\w.-]+\\s*(\\[[^\\]]*\\])?\\s*@\\s*");

  /** What follows a name or a place: extras, options of this one package. */
  private static final Pattern DETAILS = Pattern.compile("(\\[[^\\]]*\\])?(\\s+--.*)?$");

  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z+.-]*://.*");

  private final Path code;
  private final TreeMap<String, byte[]> files = new TreeMap<>();
  private final List<String> editable = new ArrayList<>();
  private boolean local;

  private Requirements(Path code) {
    this.code = code;
  }

  /**
   * @param code the folder with the job's code
   * @param file below it
   */
  static Requirements of(Path code, String file) throws IOException {
    var requirements = new Requirements(code);
    requirements.read(Path.of(file));
    return requirements;
  }

  /** The bytes of the files, by name; none of a file that is not there. */
  TreeMap<String, byte[]> files() {
    return files;
  }

  /** Whether packages are made from the code itself. */
  boolean isLocal() {
    return local;
  }

  /** The first line that would install a link into the code's folder. */
  Optional<String> editable() {
    return editable.stream().findFirst();
  }

  private void read(Path file) throws IOException {
    var name = file.toString();
    if (name.startsWith("..") || file.isAbsolute() || files.containsKey(name)) return;
    files.put(name, bytes(file));
    var text = new String(files.get(name), UTF_8).replaceAll("\\\\\r?\n", " ");
    for (var line : text.lines().toList()) line(file, line);
  }

  private byte[] bytes(Path file) throws IOException {
    try (var open = OpenFolder.fileAt(code.resolve(file)).orElse(null)) {
      return open == null ? new byte[0] : Channels.newInputStream(open).readNBytes(LARGEST);
    }
  }

  private void line(Path file, String line) throws IOException {
    var text = line.replaceAll("(^|\\s)#.*", "").replaceAll("\\s*;.*", "").strip();
    var option = OPTION.matcher(text);
    if (!option.matches()) {
      if (isPath(text)) local = true;
      return;
    }
    var value = option.group(2).strip();
    if (INCLUDES.contains(option.group(1)) && !ADDRESS.matcher(value).matches())
      read(Optional.ofNullable(file.getParent()).orElse(Path.of("")).resolve(value).normalize());
    if (EDITABLES.contains(option.group(1)) && isPath(value + "/"))
      editable.add(file + ": " + line.strip());
    if (PLACES.contains(option.group(1)) && isPath(value)) local = true;
  }

  /** As installers tell a path from a name: {@code ./x}, {@code x @ file:x}, {@code lib/y.whl}. */
  private static boolean isPath(String text) {
    var place = DETAILS.matcher(NAMED.matcher(text).replaceFirst("")).replaceFirst("").strip();
    if (place.startsWith("file:") || ARCHIVE.matcher(place).matches()) return true;
    if (ADDRESS.matcher(place).matches()) return false;
    return place.startsWith(".") || place.contains("/");
  }
}
