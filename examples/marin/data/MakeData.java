import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes this folder's {@code posts-NNN.jsonl.gz} from two dictionaries in the DICT format.
 *
 * <p>Run it through {@code make.sh}, which fetches the dictionaries. Equal dictionaries give equal
 * lines in equal files.
 */
final class MakeData {
  private static final int FILES = 48;
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private record Post(String id, String text) {}

  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("usage: java MakeData.java FOLDER_OF_DICTIONARIES OUTPUT_FOLDER");
      System.exit(2);
    }
    var leftOut = leftOut(Path.of(args[1], "left-out.txt"));
    var posts = new ArrayList<Post>();
    for (var name : List.of("jargon", "devil")) {
      for (var post : entries(Path.of(args[0]), name)) {
        if (!leftOut.remove(post.id())) posts.add(post);
      }
    }
    if (!leftOut.isEmpty()) throw new IOException("left-out.txt names no entry: " + leftOut);
    write(posts, Path.of(args[1]));
    System.out.println(posts.size() + " posts in " + FILES + " files");
  }

  private static Set<String> leftOut(Path list) throws IOException {
    var ids = new HashSet<>(Files.readAllLines(list));
    ids.removeIf(line -> line.isBlank() || line.startsWith("#"));
    return ids;
  }

  /** One post an entry, in the index's order; a second headword for an entry adds nothing. */
  private static List<Post> entries(Path folder, String name) throws IOException {
    var body = unzip(folder.resolve(name + ".dict.dz"));
    var posts = new ArrayList<Post>();
    var seen = new HashSet<Integer>();
    var ids = new HashSet<String>();
    for (var line : Files.readAllLines(folder.resolve(name + ".index"))) {
      var column = line.split("\t");
      int start = number(column[1]);
      if (column[0].startsWith("00") || !seen.add(start)) continue;
      var text = tidy(new String(body, start, number(column[2]), StandardCharsets.UTF_8));
      var id = name + "/" + column[0];
      posts.add(new Post(ids.add(id) ? id : id + "#" + start, text));
    }
    return posts;
  }

  private static byte[] unzip(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  /** Offsets and lengths of a DICT index are base-64 numbers. */
  private static int number(String digits) {
    int value = 0;
    for (char digit : digits.toCharArray()) value = value * 64 + DIGITS.indexOf(digit);
    return value;
  }

  /** Joins wrapped lines, keeps paragraphs, and drops mail addresses and soft hyphens. */
  private static String tidy(String entry) {
    var paragraphs = new StringBuilder();
    for (var paragraph : entry.replace("\u00AD", "").split("\n\\s*\n")) {
      var line = paragraph.replaceAll("\\s+", " ").strip();
      if (!line.isEmpty()) paragraphs.append(paragraphs.isEmpty() ? "" : "\n").append(line);
    }
    return paragraphs.toString().replaceAll("[\\w.+!%-]+@[\\w-]+(\\.[\\w-]+)+", "[address]");
  }

  /** Deals the posts out like cards, so that every file has some of both dictionaries. */
  private static void write(List<Post> posts, Path folder) throws IOException {
    for (int file = 0; file < FILES; file++) {
      var lines = new StringBuilder();
      for (int i = file; i < posts.size(); i += FILES) lines.append(json(posts.get(i)));
      var bytes = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(bytes)) {
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
      }
      Files.write(folder.resolve(String.format("posts-%03d.jsonl.gz", file)), bytes.toByteArray());
    }
  }

  private static String json(Post post) {
    return "{\"id\":" + quoted(post.id()) + ",\"text\":" + quoted(post.text()) + "}\n";
  }

  private static String quoted(String text) {
    var escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "\"" + escaped.replaceAll("\\p{Cntrl}", "") + "\"";
  }
}
