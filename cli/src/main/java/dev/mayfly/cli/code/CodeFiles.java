package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.files.LocalTree;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.files.CodeLimits;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.FolderWalk;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.files.StoragePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The code files of a folder: all that {@link CodeRules} want. A link is packed as what it leads
 * to, which must itself be among the packed files. Otherwise a folder from a stranger could link to
 * the user's keys, or to files that {@code .gitignore} excludes.
 *
 * @param files in the order of their names
 * @param folders those in which no file is packed
 */
record CodeFiles(
    LocalTree tree, List<StoredFile> files, List<String> folders, LeftOutOfCode leftOut) {
  /** A pointer of Git LFS is a text of about 130 bytes. */
  private static final int LARGEST_POINTER = 1024;

  private static final byte[] POINTER =
      "version https://git-lfs.github.com/spec/v1".getBytes(UTF_8);

  /** The size limit in bytes. */
  static final long CAP = 500_000_000;

  private static final StoragePolicy POLICY = StoragePolicy.CODE;

  /** So many refusals are told at once. */
  private static final int MOST_TOLD = 10;

  static CodeFiles of(Path folder) throws IOException {
    if (!Files.isDirectory(folder))
      throw new InvalidInputException(
          "code", "'" + folder + "' is not a folder; write a path relative to the job's file");
    var ignoreFile = IgnoreFile.of(folder.resolve(".mayflyignore"));
    var tree = new LocalTree(folder);
    var content = walked(folder, tree, ignoreFile);
    if (!content.refused().isEmpty()) throw refusal(content.refused());
    var leftOut = LeftOutOfCode.of(content.leftOut(), ignoreFile.idle());
    var codeFiles = new CodeFiles(tree, content.files(), content.folders(), leftOut);
    codeFiles.checkCount(folder);
    codeFiles.checkSize(folder);
    return codeFiles;
  }

  static FolderContent walked(Path folder, LocalTree tree, IgnoreFile ignoreFile) {
    try {
      var rules =
          new CodeRules(
              ignoreFile,
              GitFiles.ignored(folder),
              inner -> GitFiles.ignored(folder.resolve(inner)));
      return FolderWalk.of(tree, POLICY, rules, NameRule.ofCode());
    } catch (UncheckedIOException e) {
      throw new InvalidInputException("code", folder + " cannot be read: " + e.getCause());
    }
  }

  private static InvalidInputException refusal(List<Unstored> refused) {
    var errors = new ArrayList<InputError>();
    for (var one : refused.subList(0, Math.min(MOST_TOLD, refused.size())))
      errors.add(new InputError("code", one.sentence(POLICY)));
    if (refused.size() > MOST_TOLD)
      errors.add(new InputError("code", "%,d more".formatted(refused.size() - MOST_TOLD)));
    return new InvalidInputException(errors);
  }

  /** The paths that are packed. */
  List<String> paths() {
    return files.stream().map(StoredFile::path).toList();
  }

  /** Those that are pointers of Git LFS, in whose place no program finds its data. */
  List<String> pointers() {
    return files.stream()
        .filter(file -> file.size() < LARGEST_POINTER && file.size() > POINTER.length)
        .filter(file -> isPointer(tree.path(file.place())))
        .map(StoredFile::path)
        .toList();
  }

  private static boolean isPointer(Path file) {
    try (var in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(POINTER.length), POINTER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void checkCount(Path folder) {
    var above = new HashSet<String>();
    for (var file : files) addFolders(file.path(), above);
    for (var empty : folders) addFolders(empty + "/", above);
    var entries = files.size() + above.size();
    if (entries > CodeLimits.ENTRIES)
      throw new InvalidInputException(
          "code",
          "%s has %,d files and folders; the limit is %,d; name data in .mayflyignore"
              .formatted(folder, entries, CodeLimits.ENTRIES));
  }

  private static void addFolders(String path, Set<String> folders) {
    for (var end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (!folders.add(path.substring(0, end))) return;
  }

  private void checkSize(Path folder) {
    var sizes = new HashMap<String, Long>();
    for (var file : files) {
      var path = file.path();
      var top = path.contains("/") ? path.substring(0, path.indexOf('/') + 1) : path;
      sizes.merge(top, file.size(), Long::sum);
    }
    var total = sizes.values().stream().mapToLong(size -> size).sum();
    if (total > CAP)
      throw new InvalidInputException(
          "code",
          "%s has %d MB; the limit is %d MB; the largest entries are %s; name data in .mayflyignore"
              .formatted(folder, total / 1_000_000, CAP / 1_000_000, largest(sizes)));
  }

  private static String largest(Map<String, Long> sizes) {
    return sizes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(3)
        .map(e -> e.getKey() + " (" + e.getValue() / 1_000_000 + " MB)")
        .collect(Collectors.joining(", "));
  }
}
