package dev.mayfly.core.files;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.port.ObjectNames;
import java.util.regex.Pattern;

/** The names that objects have as files. */
public final class LocalName {
  /** One or two, as in {@code .jsonl.gz}. */
  private static final Pattern EXTENSION = Pattern.compile("([.][A-Za-z0-9]{1,8}){1,2}$");

  private static final int DIGITS = 8;

  private LocalName() {}

  /**
   * The object's own name, or one that a file can have: of 255 bytes at most and without slashes. A
   * longer one keeps its beginning and its extension, with a hash of the whole between them, so
   * that different objects have different names.
   *
   * @param name without folders
   * @param fallback for a name that no file can have
   */
  public static String of(String name, String fallback) {
    var plain = name.replaceAll("[/\\p{Cntrl}]", "_");
    if (plain.isEmpty() || plain.equals(".") || plain.equals("..")) return fallback;
    if (ObjectNames.bytes(plain) <= ObjectNames.LONGEST_FILE) return plain;
    var matcher = EXTENSION.matcher(plain);
    var extension = matcher.find() ? matcher.group() : "";
    var end = "-" + Sha256.of(name).substring(0, DIGITS) + extension;
    return beginning(plain, ObjectNames.LONGEST_FILE - ObjectNames.bytes(end)) + end;
  }

  /** As many whole characters as fit. */
  private static String beginning(String text, int bytes) {
    var cut = ObjectNames.truncate(text, bytes);
    while (ObjectNames.bytes(cut) > bytes) cut = ObjectNames.truncate(text, cut.length() - 1);
    return cut;
  }
}
