package dev.mayfly.core.files;

import dev.mayfly.core.files.FileTree.Entry;
import dev.mayfly.core.files.FileTree.Listing;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.LinkResolver.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Walks a folder and says of each entry what becomes of it. A link that stays within the tree is
 * stored as what it leads to, a file or a whole folder.
 */
public final class FolderWalk {
  /** Folders below the one that is walked. */
  public static final int DEEPEST = 100;

  /** Entries that are there by links to folders only. */
  static final int MOST_BY_LINKS = 100_000;

  private static final Obstacle LOCKED = new Obstacle.Unreadable("its permissions forbid it");

  private final FileTree tree;
  private final StoragePolicy policy;
  private final WalkFilter filter;
  private final NameRule names;
  private final LinkResolver links;
  private final List<StoredFile> files = new ArrayList<>();
  private final List<String> folders = new ArrayList<>();
  private final List<Unstored> leftOut = new ArrayList<>();
  private final List<Unstored> refused = new ArrayList<>();
  private int byLinks;

  private FolderWalk(FileTree tree, StoragePolicy policy, WalkFilter filter, NameRule names) {
    this.tree = tree;
    this.policy = policy;
    this.filter = filter;
    this.names = names;
    this.links = new LinkResolver(tree);
  }

  /** The content of a tree. */
  public static FolderContent of(
      FileTree tree, StoragePolicy policy, WalkFilter filter, NameRule names) {
    return new FolderWalk(tree, policy, filter, names).content(List.of());
  }

  /** What is at a name in a tree: a file or a folder with its content, or a link to either. */
  public static WalkStart at(FileTree tree, String name, StoragePolicy policy, NameRule names) {
    var walk = new FolderWalk(tree, policy, WalkFilter.NONE, names);
    var found = tree.find(List.of(name));
    if (found.isEmpty()) return new WalkStart.Missing();
    if (!(found.get() instanceof FileKind.Link link)) return walk.start(List.of(name), found.get());
    return switch (walk.links.resolve(List.of(), link)) {
      case Resolution.Fails(Obstacle obstacle) -> new WalkStart.Unusable(obstacle);
      case Resolution.To(List<String> place, FileKind _) when place.isEmpty() ->
          new WalkStart.Unusable(new Obstacle.Loop(link.target().orElseThrow()));
      case Resolution.To(List<String> place, FileKind kind) -> walk.start(place, kind);
    };
  }

  private WalkStart start(List<String> place, FileKind kind) {
    return switch (kind) {
      case FileKind.Regular(var size, var modified) ->
          new WalkStart.File(new StoredFile("", place, size, modified));
      case FileKind.Folder _ -> new WalkStart.Folder(content(place));
      case FileKind.Special _ -> new WalkStart.Unusable(new Obstacle.Special());
      case FileKind.Locked _ -> new WalkStart.Unusable(LOCKED);
      case FileKind.Link _ -> throw new IllegalStateException("a link was resolved to a link");
    };
  }

  private FolderContent content(List<String> place) {
    folder(WalkPosition.start(place));
    return new FolderContent(files, folders, leftOut, refused);
  }

  private void folder(WalkPosition here) {
    if (here.path().split("/").length > DEEPEST) {
      meet(here.path(), new Obstacle.TooDeep(DEEPEST));
      return;
    }
    switch (tree.list(here.place())) {
      case Listing.Gone _ -> {}
      case Listing.Unreadable(String problem) ->
          meet(here.path(), new Obstacle.Unreadable(problem));
      case Listing.Entries(List<Entry> entries) -> listed(here, entries);
    }
  }

  private void listed(WalkPosition here, List<Entry> entries) {
    var before = files.size() + folders.size();
    var place = here.text();
    var unwanted =
        here.path().isEmpty()
            ? Optional.<Obstacle.Unwanted>empty()
            : filter.unwanted(place, entries);
    if (unwanted.isPresent() && !filter.mayWantBelow(place)) {
      meet(here.path(), unwanted.get());
      return;
    }
    for (var entry : entries) entry(here, entry);
    var isEmpty = files.size() + folders.size() == before;
    if (isEmpty && here.wanted() && unwanted.isEmpty() && !here.path().isEmpty())
      folders.add(here.path());
  }

  private void entry(WalkPosition in, Entry entry) {
    // The link that led here is named.
    if (in.isByLink() && ++byLinks > MOST_BY_LINKS) return;
    var path = in.path(entry.name());
    var place = in.place(entry.name());
    var text = String.join("/", place);
    var unwanted = filter.unwanted(text, entry.kind());
    var isFolder = entry.kind() instanceof FileKind.Folder;
    if (unwanted.isPresent() && !(isFolder && filter.mayWantBelow(text))) {
      meet(path, unwanted.get());
      return;
    }
    var problem = entry.isText() ? names.problem(path) : Optional.of("that is not text");
    if (problem.isPresent()) meet(path, new Obstacle.Name(problem.get()));
    else if (entry.kind() instanceof FileKind.Link link) follow(in, path, link);
    else store(in.at(path, place, unwanted.isEmpty()), entry.kind());
  }

  private void store(WalkPosition here, FileKind kind) {
    switch (kind) {
      case FileKind.Regular(var size, var modified) ->
          files.add(new StoredFile(here.path(), here.place(), size, modified));
      case FileKind.Folder _ -> folder(here);
      case FileKind.Special _ -> meet(here.path(), new Obstacle.Special());
      case FileKind.Locked _ -> meet(here.path(), LOCKED);
      case FileKind.Link _ -> throw new IllegalStateException("a link was resolved to a link");
    }
  }

  private void follow(WalkPosition in, String path, FileKind.Link link) {
    switch (links.resolve(in.place(), link)) {
      case Resolution.Fails(Obstacle obstacle) -> meet(path, obstacle);
      case Resolution.To(List<String> to, FileKind kind) -> {
        var target = link.target().orElseThrow();
        if (kind instanceof FileKind.Folder && in.isWithin(to))
          meet(path, new Obstacle.Loop(target));
        else if (isUnwanted(to, kind)) meet(path, new Obstacle.NotPacked(target));
        else followed(in.byLink(path, to), kind, target);
      }
    }
  }

  private void followed(WalkPosition to, FileKind kind, String target) {
    if (byLinks <= MOST_BY_LINKS) store(to, kind);
    if (byLinks > MOST_BY_LINKS) meet(to.path(), new Obstacle.TooMany(target, MOST_BY_LINKS));
  }

  /** Whether a rule leaves out what a link leads to, or a folder around it. */
  private boolean isUnwanted(List<String> place, FileKind kind) {
    if (place.isEmpty()) return false;
    if (filter.unwanted(String.join("/", place), kind).isPresent()) return true;
    var folders = kind instanceof FileKind.Folder ? place.size() : place.size() - 1;
    for (var end = 1; end <= folders; end++) if (isUnwanted(place.subList(0, end))) return true;
    return false;
  }

  private boolean isUnwanted(List<String> folder) {
    var path = String.join("/", folder);
    return filter.looksInside()
        && tree.list(folder) instanceof Listing.Entries(List<Entry> entries)
        && filter.unwanted(path, entries).isPresent()
        && !filter.mayWantBelow(path);
  }

  private void meet(String path, Obstacle obstacle) {
    var unstored = new Unstored(path, obstacle);
    switch (policy.of(obstacle)) {
      case StoragePolicy.Verdict.LeftOut _ -> leftOut.add(unstored);
      case StoragePolicy.Verdict.Refused _ -> refused.add(unstored);
    }
  }
}
