package dev.mayfly.core.text;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Code in a git repository, as pip writes it: {@code git+https://host/lab/train@v1.2}, with {@code
 * #subdirectory=models} for a folder in it. A path instead of a URL is a folder whose repository is
 * meant: {@code git+.@main}. Once it is looked up, the revision is a commit, and {@code ref=main}
 * says what was asked for.
 *
 * <p>The form is that of <a href="https://pip.pypa.io/en/stable/topics/vcs-support/">pip's VCS
 * support</a>; what a revision may be called is git's check-ref-format.
 *
 * @param url of the repository, or a folder's path
 * @param revision a branch, a tag or a commit; the repository's usual branch if empty
 * @param subdirectory what of it is the code; all of it if empty
 * @param asked what was asked for before it became a commit
 */
public record GitReference(
    String url, Optional<String> revision, Optional<String> subdirectory, Optional<String> asked) {
  /** Before a repository's URL, or a folder. */
  public static final String PREFIX = "git+";

  private static final Pattern URL = Pattern.compile("(https|ssh|file)://[^\\s\\p{Cntrl}]+");

  /** A user, and a password or token beside it. */
  private static final Pattern SECRET =
      Pattern.compile("(?:https://[^/@]*@|ssh://[^/@:]*:[^/@]*@).*");

  private static final Pattern REVISION = Pattern.compile("[\\w.][\\w./+-]{0,199}");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

  /** Whether the code is to be had from git. */
  public static boolean isMeant(String code) {
    return code.startsWith(PREFIX);
  }

  /** Throws {@link IllegalArgumentException} for what is no such reference, with what to write. */
  public static GitReference of(String code) {
    if (!isMeant(code))
      throw new IllegalArgumentException("'" + code + "' does not begin with " + PREFIX);
    var hash = code.indexOf('#');
    var place = code.substring(PREFIX.length(), hash < 0 ? code.length() : hash);
    var path = place.contains("://") ? place.indexOf('/', place.indexOf("://") + 3) : 0;
    var at = place.lastIndexOf('@');
    var named = at > path && at >= 0 && path >= 0;
    var reference =
        new GitReference(
            named ? place.substring(0, at) : place,
            named ? Optional.of(place.substring(at + 1)) : Optional.empty(),
            Optional.empty(),
            Optional.empty());
    for (var part : hash < 0 ? new String[0] : code.substring(hash + 1).split("&", -1))
      reference = reference.with(part, code);
    reference.check(code);
    return reference;
  }

  private GitReference with(String part, String code) {
    var value = Optional.of(part.substring(part.indexOf('=') + 1));
    if (part.startsWith("subdirectory=")) return new GitReference(url, revision, value, asked);
    if (part.startsWith("ref=")) return new GitReference(url, revision, subdirectory, value);
    throw new IllegalArgumentException(
        "'%s' has '%s' behind #; only subdirectory=FOLDER may stand there".formatted(code, part));
  }

  private void check(String code) {
    if (SECRET.matcher(url).matches())
      throw new IllegalArgumentException(
          "has a user or token in its URL, which would be stored; leave it to git's credential helper, or write git+ssh://git@…");
    // "ext::" and the like name programs that git runs.
    if (url.isEmpty() || url.contains("::") || (url.contains("://") && !URL.matcher(url).matches()))
      throw new IllegalArgumentException(
          "'%s' is no repository; write git+https://HOST/PATH@REF, git+ssh://git@HOST/PATH@REF, or git+.@REF for that of this folder"
              .formatted(code));
    revision.ifPresent(GitReference::checkRevision);
    asked.ifPresent(GitReference::checkRevision);
    if (subdirectory.filter(folder -> !isInside(folder)).isPresent())
      throw new IllegalArgumentException(
          "'%s' is no folder in a repository; write subdirectory=models, for example"
              .formatted(subdirectory.get()));
  }

  /** Throws {@link IllegalArgumentException} for what git would not take, or for an option. */
  public static void checkRevision(String name) {
    if (!REVISION.matcher(name).matches()
        || name.contains("..")
        || name.contains("//")
        || name.endsWith("/")
        || name.endsWith(".")
        || name.endsWith(".lock"))
      throw new IllegalArgumentException(
          "'%s' is not a branch, a tag or a commit of git".formatted(name));
  }

  private static boolean isInside(String folder) {
    return !folder.isBlank()
        && !folder.startsWith("/")
        && !folder.contains("\\")
        && java.util.Arrays.stream(folder.split("/", -1))
            .noneMatch(part -> part.equals("..") || part.equals(".git") || part.isEmpty());
  }

  /** Whether the repository is that of a folder on the submitter's machine. */
  public boolean isFolder() {
    return !url.contains("://");
  }

  /** The same code at another revision. */
  public GitReference with(String other) {
    return new GitReference(url, Optional.of(other), subdirectory, Optional.empty());
  }

  /** The same code at this commit, with what was asked for. */
  public GitReference at(String repository, String commit) {
    return new GitReference(
        repository, Optional.of(commit), subdirectory, revision.filter(it -> !it.equals(commit)));
  }

  /** The commit, once it is looked up. */
  public Optional<String> commit() {
    return revision.filter(it -> COMMIT.matcher(it).matches());
  }

  /** For people: {@code commit 1f0c2d3a4b5c of https://host/lab/train (main), in models}. */
  public String words() {
    return "%s%s%s%s"
        .formatted(
            commit()
                .map(it -> "commit " + it.substring(0, 12) + " of ")
                .or(() -> revision.map(it -> it + " of "))
                .orElse(""),
            url,
            asked.map(it -> " (" + it + ")").orElse(""),
            subdirectory.map(it -> ", in " + it).orElse(""));
  }

  @Override
  public String toString() {
    var behind =
        subdirectory.map("subdirectory="::concat).orElse("")
            + (subdirectory.isPresent() && asked.isPresent() ? "&" : "")
            + asked.map("ref="::concat).orElse("");
    return PREFIX
        + url
        + revision.map("@"::concat).orElse("")
        + (behind.isEmpty() ? "" : "#" + behind);
  }
}
