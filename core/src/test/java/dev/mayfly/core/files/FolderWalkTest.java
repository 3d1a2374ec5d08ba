package dev.mayfly.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.Obstacle.Unwanted;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of each entry, in words. Real trees are in the contract of the adapters. */
final class FolderWalkTest {
  private static final NameRule NAMES = NameRule.ofObjects(900);

  private final MemoryTree tree = new MemoryTree();

  private FolderContent walked(StoragePolicy policy) {
    return FolderWalk.of(tree, policy, WalkFilter.NONE, NAMES);
  }

  private static List<String> paths(FolderContent content) {
    return content.files().stream().map(StoredFile::path).toList();
  }

  private static List<String> sentences(StoragePolicy policy, FolderContent content) {
    return Stream.concat(content.refused().stream(), content.leftOut().stream())
        .map(one -> one.sentence(policy))
        .toList();
  }

  @Test
  void linkIsStoredAsWhatItLeadsTo() {
    tree.file("epoch=39.ckpt").link("last.ckpt", "epoch=39.ckpt").link("again", "last.ckpt");

    var content = walked(StoragePolicy.OUTPUT);

    assertThat(content.files())
        .extracting(file -> file.path() + " from " + String.join("/", file.place()))
        .containsExactly(
            "again from epoch=39.ckpt",
            "epoch=39.ckpt from epoch=39.ckpt",
            "last.ckpt from epoch=39.ckpt");
    assertThat(content.leftOut()).isEmpty();
    assertThat(content.refused()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/data/root/a, true",
    "/home/u/a, true",
    "//data/./root//d/../a, true",
    "../root/a, true",
    "../../data/root/d/../a, true",
    "d/../../root/a, true",
    "/data/other/../root/a, false",
    "../other/a, false",
    "/home, false",
    "/, false",
    "a/, false",
    "a/../a, false",
    "d/missing, false",
  })
  void absoluteLinkMayStayInside(String target, boolean inside) {
    tree.file("a").file("d/b").link("l", target);

    assertThat(paths(walked(StoragePolicy.CHECKPOINT)).contains("l")).isEqualTo(inside);
  }

  @Test
  void linkToFolderIsAFolder() {
    tree.file("step_100/w").folder("step_100/empty").link("latest", "step_100/.");

    var content = walked(StoragePolicy.CHECKPOINT);

    assertThat(paths(content)).containsExactly("latest/w", "step_100/w");
    assertThat(content.folders()).containsExactly("latest/empty", "step_100/empty");
  }

  @Test
  void ringsAndLoopsEnd() {
    tree.file("d/a").link("d/up", "..").link("d/self", ".").link("e/d", "../d").link("d/e", "../e");
    tree.link("x", "y").link("y", "x");

    assertThat(sentences(StoragePolicy.CODE, walked(StoragePolicy.CODE)))
        .contains(
            "'d/e/d' is a link to ../d, a folder that it is in; delete it, or name it in"
                + " .mayflyignore",
            "'d/self' is a link to ., a folder that it is in; delete it, or name it in"
                + " .mayflyignore",
            "'x' is a link to y, which leads back to the link; delete it, or name it in"
                + " .mayflyignore");
  }

  /** Twenty folders with two links each to the next would be a million files. */
  @Test
  void linksDoNotMultiplyWithoutEnd() {
    for (var i = 0; i < 20; i++)
      tree.link("d" + i + "/a", "../d" + (i + 1)).link("d" + i + "/b", "../d" + (i + 1));
    tree.file("d20/file").file("z");

    var content = walked(StoragePolicy.CHECKPOINT);

    assertThat(content.files()).hasSizeLessThan(FolderWalk.MOST_BY_LINKS);
    assertThat(paths(content)).contains("z");
    assertThat(sentences(StoragePolicy.CHECKPOINT, content))
        .contains(
            "'d0/b' is a link to ../d1, and links make more than 100,000 files and folders of what"
                + " is there; delete it");
  }

  @Test
  void whatIsNotStoredHasItsReason() {
    tree.put("pipe", new FileKind.Special()).put("locked", new FileKind.Locked());
    tree.link("out", "/etc/passwd").link("gone", "nothing").file("a\tb").file("x".repeat(200));
    tree.put("odd", new FileKind.Link(Optional.empty()));

    var content = walked(StoragePolicy.OUTPUT);

    assertThat(content.leftOut()).extracting(Unstored::path).containsExactly("pipe");
    assertThat(sentences(StoragePolicy.OUTPUT, content))
        .containsExactly(
            "'a\\u0009b' has a name with a control character in it, which no object has; name it"
                + " otherwise",
            "'gone' is a link to nothing, which is not there; delete it",
            "'locked' cannot be read: its permissions forbid it; let it be read",
            "'odd' is a link to a name that is not text, which is not there; delete it",
            "'out' is a link to /etc/passwd, which leads outside of the folder; copy what it leads"
                + " to into $MAYFLY_OUTPUT, or delete it",
            "'%s' has a name that is too long for an object: more than 124 bytes with its folders; name it otherwise"
                .formatted("x".repeat(19) + "\u2026" + "x".repeat(40)),
            "'pipe' is a pipe, a socket or a device, which holds nothing to store");
  }

  @Test
  void foldersThatCannotBeWalkedAreNamed() {
    var deep = "d/".repeat(FolderWalk.DEEPEST) + "d";
    tree.file(deep + "/a").closed("c").file("e/".repeat(FolderWalk.DEEPEST - 1) + "b");

    var content = FolderWalk.of(tree, StoragePolicy.OUTPUT, WalkFilter.NONE, NameRule.ofCode());

    assertThat(paths(content)).containsExactly("e/".repeat(FolderWalk.DEEPEST - 1) + "b");
    assertThat(sentences(StoragePolicy.OUTPUT, content))
        .containsExactly(
            "'c' cannot be read: its permissions forbid it; let it be read",
            "'%s' lies more than 100 folders deep; use fewer folders"
                .formatted(Obstacle.shown(deep)));
  }

  @Test
  void codeHasNoLongerPathsThanAgentsTake() {
    var longest = "x".repeat(CodeLimits.LONGEST_PATH - 2) + "/y";
    tree.file(longest).file("long/" + longest);

    var content = FolderWalk.of(tree, StoragePolicy.CODE, WalkFilter.NONE, NameRule.ofCode());

    assertThat(paths(content)).containsExactly(longest);
    assertThat(content.refused())
        .singleElement()
        .extracting(one -> one.sentence(StoragePolicy.CODE))
        .asString()
        .contains("has a name that is too long: more than 2,048 bytes with its folders; rename it");
  }

  @Test
  void checkpointsRefuseNothing() {
    tree.put("pipe", new FileKind.Special()).link("out", "/etc/passwd").file("a\tb").file("ok");

    var content = walked(StoragePolicy.CHECKPOINT);

    assertThat(content.refused()).isEmpty();
    assertThat(content.leftOut()).hasSize(3);
    assertThat(paths(content)).containsExactly("ok");
  }

  @Test
  void linkToUnwantedIsNotPacked() {
    tree.file("data/secret").link("l", "data/secret").link("d", "data").file("main.py");

    var content =
        FolderWalk.of(
            tree,
            StoragePolicy.CODE,
            (path, _) ->
                path.startsWith("data")
                    ? Optional.of(new Unwanted(Unwanted.Rule.GIT))
                    : Optional.empty(),
            NAMES);

    assertThat(paths(content)).containsExactly("main.py");
    assertThat(content.leftOut()).extracting(Unstored::path).containsExactly("data");
    assertThat(content.refused())
        .extracting(one -> one.sentence(StoragePolicy.CODE))
        .containsExactly(
            "'d' is a link to data, which is not among the packed files; replace the link by a"
                + " copy, or name it in .mayflyignore",
            "'l' is a link to data/secret, which is not among the packed files; replace the link"
                + " by a copy, or name it in .mayflyignore");
  }

  @Test
  void startMayBeALink() {
    tree.file("result").link("7", "result").link("8", ".").link("9", "/etc");

    assertThat(start("7")).isInstanceOf(WalkStart.File.class);
    assertThat(start("8")).isEqualTo(new WalkStart.Unusable(new Obstacle.Loop(".")));
    assertThat(start("9")).isEqualTo(new WalkStart.Unusable(new Obstacle.Outside("/etc")));
    assertThat(start("10")).isEqualTo(new WalkStart.Missing());
  }

  private WalkStart start(String name) {
    return FolderWalk.at(tree, name, StoragePolicy.OUTPUT, NAMES);
  }
}
