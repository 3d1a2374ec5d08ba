package dev.mayfly.arch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The Terraform configuration, as far as tests compare it with code and documents. */
final class TerraformConfig {
  static final Path ROOT = Sources.ROOT;
  private static final Path FOLDER = ROOT.resolve("terraform");
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^(variable|output) \"(\\w+)\" \\{\\n(.*?)^\\}");
  private static final Pattern DESCRIPTION =
      Pattern.compile("(?m)^  description += +\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern DEFAULT = Pattern.compile("(?m)^  default += +(.+)$");

  private TerraformConfig() {}

  /** One variable or output; {@code usual} is empty for what must be given. */
  record Item(String description, String usual) {}

  static String text(String file) throws IOException {
    return Files.readString(FOLDER.resolve(file));
  }

  static JsonNode json(String file) throws IOException {
    return new ObjectMapper().readTree(text(file));
  }

  static Map<String, Item> items(String file) throws IOException {
    var items = new TreeMap<String, Item>();
    var blocks = BLOCK.matcher(text(file));
    while (blocks.find()) {
      var description = DESCRIPTION.matcher(blocks.group(3));
      var usual = DEFAULT.matcher(blocks.group(3));
      if (!description.find())
        throw new AssertionError(file + ": " + blocks.group(2) + " has no description");
      items.put(
          blocks.group(2), new Item(description.group(1), usual.find() ? usual.group(1) : ""));
    }
    return items;
  }
}
