package dev.mayfly.cli.report;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The files of a report; its README.txt lists what is missing, cut and left out. */
final class ReportFiles {
  /** Of one file; a report must fit into a mail. */
  private static final int MOST_LETTERS = 4_000_000;

  private final ReportSecrets secrets;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();
  private final List<String> cut = new ArrayList<>();

  ReportFiles(ReportSecrets secrets) {
    this.secrets = secrets;
  }

  /** Reads a part; what cannot be read is missing, and said to be. */
  <T> Optional<T> part(String what, Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (MayflyException | CommandException unread) {
      missing.add(what + ": " + secrets.without(String.valueOf(unread.getMessage())));
      return Optional.empty();
    }
  }

  void json(String name, Object value) {
    text(name, new String(Wire.shared().json(value), StandardCharsets.UTF_8).strip() + "\n");
  }

  void text(String name, String text) {
    var clean = secrets.without(text);
    if (clean.length() > MOST_LETTERS) {
      cut.add("%s: its first %,d letters of %,d".formatted(name, MOST_LETTERS, clean.length()));
      clean = clean.substring(0, MOST_LETTERS);
    }
    texts.put(name, clean);
  }

  /** Something is in the report in part only. */
  void cut(String how) {
    cut.add(how);
  }

  List<String> missing() {
    return List.copyOf(missing);
  }

  List<String> cuts() {
    return List.copyOf(cut);
  }

  /** All of it as a zip, below one folder. */
  byte[] zip(String folder, String title, Instant at, boolean withEnvironment) {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
      add(zip, folder, "README.txt", readme(title, withEnvironment), at);
      for (var file : texts.entrySet()) add(zip, folder, file.getKey(), file.getValue(), at);
    } catch (IOException inMemory) {
      throw new UncheckedIOException(inMemory);
    }
    return bytes.toByteArray();
  }

  private static void add(ZipOutputStream zip, String folder, String name, String text, Instant at)
      throws IOException {
    var entry = new ZipEntry(folder + "/" + name);
    entry.setTime(at.toEpochMilli());
    zip.putNextEntry(entry);
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  private String readme(String title, boolean withEnvironment) {
    var lines = new ArrayList<>(List.of(title, "", "Files:"));
    texts.forEach((name, text) -> lines.add("- %s, %,d letters".formatted(name, text.length())));
    section(lines, "Missing", missing, "nothing");
    section(lines, "In part only", cut, "nothing");
    section(
        lines, "Left out, because others must not read it", secrets.lines(), "nothing was found");
    lines.add("");
    lines.add(
        withEnvironment
            ? "Values of the environment are in it (--with-env)."
            : "Values of the environment are left out, because people put keys there; --with-env keeps"
                + " them.");
    lines.add(
        "Secrets of jobs are references in all documents: their values are not in this file unless a"
            + " task printed one in another form. Look before you send it.");
    return String.join("\n", lines) + "\n";
  }

  private static void section(List<String> lines, String title, List<String> of, String none) {
    lines.add("");
    lines.add(title + ":" + (of.isEmpty() ? " " + none : ""));
    of.forEach(line -> lines.add("- " + line));
  }
}
