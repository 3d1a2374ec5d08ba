package dev.mayfly.agent.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.OpenFolder;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.SetupSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Names the content of a setup: tasks with equal keys share one. The key covers the command, the
 * bytes of the named files, the image and the wanted version of Python; of a file of requirements
 * also what it includes, and all of the code if packages are made from that. It does not cover the
 * environment, so that a rotated secret makes no new setup.
 */
public final class SetupKey {
  /** Enough of the hash that no two meet, and short enough for the first line of a script. */
  private static final int CHARACTERS = 24;

  private SetupKey() {}

  /**
   * Throws {@link FileNotFoundException} for a file that the code lacks, and {@link
   * SetupFailedException} for requirements that no environment can have that outlives its task.
   *
   * @param code the folder with the job's code
   * @param bundle the name of that code, which no other code has
   * @param image that tasks run in, as exactly as it is known
   */
  public static String of(
      SetupSpec setup, Path code, Optional<String> bundle, Optional<String> image)
      throws IOException, SetupFailedException {
    var digest = sha256();
    for (var word : words(setup, image)) add(digest, word);
    for (var file : setup.files()) {
      add(digest, file);
      addContent(digest, code.resolve(file), file);
    }
    var listed = setup.python().flatMap(SetupSpec.Python::requirements);
    if (listed.isPresent()) addRead(digest, Requirements.of(code, listed.get()), bundle);
    return HexFormat.of().formatHex(digest.digest()).substring(0, CHARACTERS);
  }

  private static List<String> words(SetupSpec setup, Optional<String> image) {
    var python = setup.python();
    var command = python.map(PythonSetup::command).orElse(setup.command());
    return List.of("1", String.join("\0", command), image.orElse(""));
  }

  private static void addRead(
      MessageDigest digest, Requirements requirements, Optional<String> bundle)
      throws SetupFailedException {
    if (requirements.editable().isPresent())
      throw new SetupFailedException(
          FailureCause.USER,
          "%s: an editable install is a link to this task's folder, which is deleted when the task ends; leave -e out, or leave the line out if tasks run in the code's folder"
              .formatted(requirements.editable().get()));
    requirements
        .files()
        .forEach((name, bytes) -> {
          add(digest, name);
          add(digest, HexFormat.of().formatHex(sha256().digest(bytes)));
        });
    if (requirements.isLocal()) add(digest, bundle.orElse(""));
  }

  private static void addContent(MessageDigest digest, Path path, String file) throws IOException {
    try (var open = OpenFolder.fileAt(path).orElse(null)) {
      if (open == null)
        throw new FileNotFoundException(
            "setup: " + file + " is not a file of the job's code; is it ignored or excluded?");
      add(digest, Long.toString(open.size()));
      try (var out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
        Channels.newInputStream(open).transferTo(out);
      }
    }
  }

  /** With its length, so that no two lists of texts give the same bytes. */
  private static void add(MessageDigest digest, String text) {
    var bytes = text.getBytes(UTF_8);
    digest.update((bytes.length + ":").getBytes(UTF_8));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
