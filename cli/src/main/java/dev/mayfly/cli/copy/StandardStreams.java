package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The standard input and output as ends of a copy, byte for byte.
 *
 * <p>An upload must know its size and may be repeated, so that the input is a file of this computer
 * first, which must have room for it.
 */
record StandardStreams(InputStream in, PrintStream out) {
  private static final int CHUNK = 1 << 16;

  /** Writes the input to a file in the folder and returns it. */
  Path received(Path folder, CopyPlace to) {
    var name = to.copyName();
    if (to instanceof CopyPlace.InBucket there && there.isFolder())
      throw CommandException.input(
          "the standard input has no name; name the object: " + there.url() + "NAME");
    var file = folder.resolve(name);
    try {
      Files.copy(in, file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the standard input cannot be kept in " + folder + ": " + e, e);
    }
  }

  /** Writes a stream to the output until its reader wants no more; returns how many bytes. */
  long send(InputStream content) throws IOException {
    var chunk = new byte[CHUNK];
    var sent = 0L;
    for (var count = content.read(chunk); count >= 0; count = content.read(chunk)) {
      out.write(chunk, 0, count);
      // Why it cannot be written is told when the command ends.
      if (out.checkError()) break;
      sent += count;
    }
    return sent;
  }

  /** Writes the one file in the folder to the output. */
  long sendOnly(Path folder, String source) {
    try {
      var found = LocalFolders.children(folder);
      if (found.size() != 1 || !Files.isRegularFile(found.getFirst(), LinkOption.NOFOLLOW_LINKS))
        throw CommandException.input(
            source + " is not a single file, and the standard output takes one; name a file");
      try (var content = Files.newInputStream(found.getFirst())) {
        return send(content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(source + " cannot be copied: " + e, e);
    }
  }
}
