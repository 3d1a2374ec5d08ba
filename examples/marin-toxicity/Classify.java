import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Scores how rude each post of one file is: a pure function from an input file to an output file.
 *
 * <p>Input: gzipped JSON lines, each with the strings {@code id} and {@code text}. Output: a line
 * for each of them, in the same order, with {@code id}, {@code score} (0 to 1) and {@code label}.
 * Equal inputs give equal bytes, so running a task twice does no harm. Needs a JDK 17 or later and
 * {@code weights.tsv} in the working folder, nothing else.
 *
 * <p>Exit codes: 0 done, 1 bad input or no room, 2 wrong arguments.
 */
final class Classify {
  private static final String BIAS = "(bias)";
  private static final double TOXIC = 0.5;

  private final Map<String, Double> weights;

  private Classify(Map<String, Double> weights) {
    this.weights = weights;
  }

  public static void main(String[] args) throws InterruptedException {
    long start = System.nanoTime();
    if (args.length != 2 && !(args.length == 4 && args[2].equals("--seconds"))) {
      fail(2, "usage: java Classify.java INPUT.jsonl.gz OUTPUT.jsonl.gz [--seconds AT_LEAST]");
    }
    long atLeast = args.length == 4 ? seconds(args[3]) : 0;
    try {
      var classifier = new Classify(weights(Path.of("weights.tsv")));
      String summary = classifier.run(Path.of(args[0]), Path.of(args[1]));
      linger(start + atLeast * 1_000_000_000L);
      System.out.println(summary);
    } catch (NoSuchFileException e) {
      fail(1, e.getFile() + ": no such file (run this in the folder that has weights.tsv)");
    } catch (IOException e) {
      fail(1, args[0] + ": " + Objects.requireNonNullElse(e.getMessage(), "ends too soon"));
    }
  }

  private static long seconds(String number) {
    if (!number.matches("\\d{1,5}")) fail(2, "--seconds " + number + ": give a whole number");
    return Long.parseLong(number);
  }

  private static void fail(int code, String message) {
    System.err.println(message);
    System.exit(code);
  }

  /** A real model takes minutes; a demo that wants to show a preemption asks for some seconds. */
  private static void linger(long until) throws InterruptedException {
    long millis = (until - System.nanoTime()) / 1_000_000;
    if (millis > 0) Thread.sleep(millis);
  }

  private static Map<String, Double> weights(Path file) throws IOException {
    var weights = new HashMap<String, Double>();
    for (String line : Files.readAllLines(file)) {
      int tab = line.indexOf('\t');
      if (line.startsWith("#") || tab < 0) continue;
      weights.put(line.substring(0, tab), Double.valueOf(line.substring(tab + 1)));
    }
    return weights;
  }

  private String run(Path input, Path output) throws IOException {
    int posts = 0;
    int toxic = 0;
    try (var in = reader(input);
        var out = writer(output)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        posts++;
        Map<String, String> post = new Json(line, "line " + posts).strings();
        double score = score(post.get("text"));
        if (score >= TOXIC) toxic++;
        write(out, post.get("id"), score);
      }
    }
    return posts + " posts, " + toxic + " toxic";
  }

  private static BufferedReader reader(Path file) throws IOException {
    var bytes = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
    return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
  }

  /** {@code GZIPOutputStream} writes no time into its header, so the bytes do not depend on it. */
  private static Writer writer(Path file) throws IOException {
    var bytes = new GZIPOutputStream(Files.newOutputStream(file), 1 << 16);
    return new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
  }

  private static void write(Writer out, String id, double score) throws IOException {
    out.write("{\"id\":\"");
    out.write(Json.escaped(id));
    out.write("\",\"score\":");
    out.write(String.valueOf(StrictMath.rint(score * 10_000) / 10_000));
    out.write(",\"label\":\"");
    out.write(score >= TOXIC ? "toxic" : "fine");
    out.write("\"}\n");
  }

  /**
   * The logistic of the bias plus, for each known term seen n times, its log-odds times ln(1 + n).
   * {@code StrictMath}, because {@code Math} may differ in the last bit between machines.
   */
  private double score(String text) {
    var counts = new HashMap<String, Integer>();
    String before = "";
    for (String word : words(text)) {
      count(word, counts);
      count(before + " " + word, counts);
      before = word;
    }
    double logOdds = weights.getOrDefault(BIAS, 0.0);
    for (String term : counts.keySet().stream().sorted().toList()) {
      logOdds += weights.get(term) * StrictMath.log1p(counts.get(term));
    }
    return 1 / (1 + StrictMath.exp(-logOdds));
  }

  private void count(String term, Map<String, Integer> counts) {
    if (weights.containsKey(term)) counts.merge(term, 1, Integer::sum);
  }

  private static String[] words(String text) {
    return text.toLowerCase(Locale.ROOT).replace('’', '\'').split("[^a-z']+");
  }

  /** Reads the strings of one flat JSON object; numbers and the like are passed over. */
  private static final class Json {
    private final String line;
    private final String place;
    private int at;

    Json(String line, String place) {
      this.line = line;
      this.place = place;
    }

    Map<String, String> strings() throws IOException {
      var strings = new HashMap<String, String>();
      for (char before = '{'; before != '}'; before = peek() == '}' ? '}' : ',') {
        expect(before);
        String name = string();
        expect(':');
        if (peek() == '"') strings.put(name, string());
        else skipScalar();
      }
      for (String name : new String[] {"id", "text"}) {
        if (!strings.containsKey(name)) throw new IOException(place + ": no string \"" + name + "\"");
      }
      return strings;
    }

    private char peek() throws IOException {
      while (at < line.length() && line.charAt(at) <= ' ') at++;
      if (at == line.length()) throw new IOException(place + ": cut off");
      return line.charAt(at);
    }

    private void expect(char wanted) throws IOException {
      if (peek() != wanted) {
        throw new IOException(place + ", column " + (at + 1) + ": expected " + wanted);
      }
      at++;
    }

    private void skipScalar() throws IOException {
      while (peek() != ',' && peek() != '}') {
        if ("{[\"".indexOf(line.charAt(at)) >= 0) throw new IOException(place + ": nested value");
        at++;
      }
    }

    private String string() throws IOException {
      expect('"');
      var text = new StringBuilder();
      while (at < line.length() && line.charAt(at) != '"') {
        char next = line.charAt(at++);
        text.append(next == '\\' ? escape() : next);
      }
      if (at == line.length()) throw new IOException(place + ": a string has no end");
      at++;
      return text.toString();
    }

    private char escape() throws IOException {
      char kind = at < line.length() ? line.charAt(at++) : 0;
      int plain = "\"\\/bfnrt".indexOf(kind);
      if (plain >= 0) return "\"\\/\b\f\n\r\t".charAt(plain);
      try {
        if (kind == 'u') return (char) Integer.parseInt(line, at, at += 4, 16);
      } catch (IndexOutOfBoundsException | NumberFormatException e) {
        throw new IOException(place + ", column " + at + ": bad \\u escape", e);
      }
      throw new IOException(place + ", column " + at + ": unknown escape");
    }

    static String escaped(String text) {
      var escaped = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        char next = text.charAt(i);
        if (next == '"' || next == '\\') escaped.append('\\').append(next);
        else if (next < ' ') escaped.append(String.format("\\u%04x", (int) next));
        else escaped.append(next);
      }
      return escaped.toString();
    }
  }
}
