package dev.mayfly.cli.image;

import dev.mayfly.cli.error.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Writes an image's digest into the text of a cluster's file; all else stays as it is. */
final class ClusterImagePin {
  private static final Pattern LINE =
      Pattern.compile("(image:[ \\t]+)([\"']?)([^\\s\"'#@]+)(?:@sha256:[0-9a-f]{64})?(\\2)(.*)");

  private ClusterImagePin() {}

  /**
   * The text with the digest. Throws if no line of it is {@code image: NAME}.
   *
   * @param file its name in messages
   */
  static String write(String text, String file, String image, String digest) {
    var lines = new ArrayList<>(List.of(text.split("\n", -1)));
    var written = 0;
    for (var i = 0; i < lines.size(); i++) {
      var line = LINE.matcher(lines.get(i));
      if (!line.matches() || !line.group(3).equals(image)) continue;
      lines.set(
          i, line.group(1) + line.group(2) + image + "@" + digest + line.group(4) + line.group(5));
      written++;
    }
    if (written > 0) return String.join("\n", lines);
    throw CommandException.input(
        "%s has no line 'image: %s' at its left edge to pin; write there yourself: image: %s@%s"
            .formatted(file, image, image, digest));
  }
}
