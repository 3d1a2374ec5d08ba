import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Reads a bill of materials and says what is in it: versions and licences, and what is wrong. Run
 * as {@code java Report.java BOM.xml FOLDER}, with the two lists of the folder.
 */
public final class Report {
  private static final String OURS = "dev.mayfly";

  /** What is deployed has this checksum; another file is another component. */
  private static final String CHECKSUM = "SHA-256";

  private record Component(
      String group, String name, String version, List<String> licences, boolean checksum) {
    String id() {
      return group + ":" + name;
    }

    String licence() {
      return licences.isEmpty() ? "none" : String.join(" or ", licences);
    }
  }

  /** Versions from one on and before another. */
  private record Bad(String id, String from, String before, String why) {
    static Bad of(String line) {
      var parts = line.strip().split("\\s+", 4);
      if (parts.length != 4)
        throw new IllegalArgumentException("known-bad: write GROUP:NAME FROM BEFORE WHY: " + line);
      return new Bad(parts[0], parts[1], parts[2], parts[3]);
    }

    boolean has(Component component) {
      return id.equals(component.id())
          && compare(component.version(), from) >= 0
          && compare(component.version(), before) < 0;
    }
  }

  private Report() {}

  public static void main(String[] args) throws Exception {
    var components = components(Path.of(args[0]));
    var wrong =
        wrong(
            components,
            new TreeSet<>(lines(Path.of(args[1], "licences"))),
            lines(Path.of(args[1], "known-bad")).stream().map(Bad::of).toList());
    var count = new TreeMap<String, Integer>();
    for (var it : components) {
      System.out.printf("%-70s %-22s %s%n", it.id(), it.version(), it.licence());
      count.merge(it.licence(), 1, Integer::sum);
    }
    System.out.println(components.size() + " components: " + count);
    wrong.forEach(System.err::println);
    System.exit(components.isEmpty() || !wrong.isEmpty() ? 1 : 0);
  }

  private static List<String> wrong(
      List<Component> components, TreeSet<String> licences, List<Bad> known) {
    var wrong = new ArrayList<String>();
    for (var it : components) {
      var place = it.id() + " " + it.version();
      if (it.licences().stream().noneMatch(licences::contains))
        wrong.add("licence: " + place + " has " + it.licence() + "; is it in .ci/supply/licences?");
      if (!it.checksum()) wrong.add("checksum: " + place + " has no " + CHECKSUM);
      known.stream()
          .filter(bad -> bad.has(it))
          .forEach(bad ->
              wrong.add(
                  "version: %s has %s; take %s or later"
                      .formatted(place, bad.why(), bad.before())));
    }
    return wrong;
  }

  private static List<Component> components(Path bom) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    var root = factory.newDocumentBuilder().parse(bom.toFile()).getDocumentElement();
    return child(root, "components").stream()
        .flatMap(list -> children(list, "component"))
        .map(Report::component)
        .filter(it -> !it.group().equals(OURS))
        .sorted((a, b) -> a.id().compareTo(b.id()))
        .toList();
  }

  private static Component component(Element it) {
    var licences =
        child(it, "licenses").stream()
            .flatMap(list -> Stream.concat(children(list, "license"), children(list, "expression")))
            .map(one ->
                child(one, "id")
                    .or(() -> child(one, "name"))
                    .map(Element::getTextContent)
                    .orElseGet(one::getTextContent)
                    .strip())
            .toList();
    var checksum =
        child(it, "hashes").stream()
            .flatMap(list -> children(list, "hash"))
            .anyMatch(hash -> hash.getAttribute("alg").equals(CHECKSUM));
    return new Component(text(it, "group"), text(it, "name"), text(it, "version"), licences, checksum);
  }

  private static String text(Element in, String name) {
    return child(in, name).map(it -> it.getTextContent().strip()).orElse("");
  }

  private static Optional<Element> child(Element in, String name) {
    return children(in, name).findFirst();
  }

  private static Stream<Element> children(Element in, String name) {
    var nodes = in.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(it -> it instanceof Element e && e.getTagName().equals(name))
        .map(Element.class::cast);
  }

  /** Number by number; what is no number counts as none, so that 33.5.0-jre is 33.5.0. */
  private static int compare(String one, String other) {
    var a = one.split("[.-]");
    var b = other.split("[.-]");
    for (var i = 0; i < Math.max(a.length, b.length); i++) {
      var order = Long.compare(number(a, i), number(b, i));
      if (order != 0) return order;
    }
    return 0;
  }

  private static long number(String[] parts, int i) {
    return i < parts.length && parts[i].matches("[0-9]{1,18}") ? Long.parseLong(parts[i]) : 0;
  }

  /** Without comments and empty lines. */
  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }
}
