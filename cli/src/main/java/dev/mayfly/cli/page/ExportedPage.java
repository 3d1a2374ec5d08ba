package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.stream.Collectors;

/**
 * One file with the page, its style, its picture and the data of a job or of a simulation. A
 * browser that opens it runs this one script, and loads nothing: its policy names both by their
 * hashes.
 */
final class ExportedPage {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8">
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-%s'; \
      style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'; \
      require-trusted-types-for 'script'; trusted-types 'none'">
          <meta name="referrer" content="no-referrer">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta name="color-scheme" content="light dark">
          <title>Mayfly</title>
          <link rel="icon" href="data:image/svg+xml;base64,%s" type="image/svg+xml">
          <style>%s</style>
        </head>
        <body>
          <div id="page"><p class="loading">Mayfly …</p></div>
          <script type="text/plain" id="licences">
      %s</script>
          <script type="application/json" id="exported">\
      """;

  private static final String BETWEEN = "</script>\n    <script>";
  private static final String TAIL = "</script>\n  </body>\n</html>\n";

  private ExportedPage() {}

  /**
   * @param data an {@link ExportedJob} or an {@link ExportedSimulation}
   */
  static byte[] of(Object data, HomePaths homePaths) {
    var script = PageScript.joined("app.js", ExportedPage::text);
    var style = text("page.css") + text("vendor/uplot.css");
    var picture = Base64.getEncoder().encodeToString(PageFiles.content("mayfly.svg"));
    var file = new ByteArrayOutputStream();
    file.writeBytes(
        HEAD.formatted(hash(script), hash(style), picture, style, licences()).getBytes(UTF_8));
    file.writeBytes(block(data, homePaths).getBytes(UTF_8));
    file.writeBytes((BETWEEN + script + TAIL).getBytes(UTF_8));
    return file.toByteArray();
  }

  /** As JSON that ends no element, whatever names and errors have in them. */
  private static String block(Object data, HomePaths homePaths) {
    var json = new String(Wire.shared().json(data), UTF_8);
    return homePaths
        .replacedIn(json)
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** Whoever passes the file on passes the libraries on, and so their licences. */
  private static String licences() {
    return text("vendor/SHA256SUMS")
        .lines()
        .map(line -> line.replaceFirst("^.* ", ""))
        .filter(name -> name.endsWith(".LICENSE"))
        .map(name -> name + "\n\n" + text("vendor/" + name))
        .collect(Collectors.joining("\n"));
  }

  /** Of the Mayfly that makes the file. */
  static String version() {
    var known = ExportedPage.class.getPackage().getImplementationVersion();
    return known == null ? "(not packaged)" : known;
  }

  private static String text(String path) {
    return new String(PageFiles.content(path), UTF_8);
  }

  private static String hash(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
