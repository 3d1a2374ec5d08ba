package dev.mayfly.core.files;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a walk is.
 *
 * @param path as it is stored; empty for the folder that is walked
 * @param place from the tree's root and without links
 * @param left the places of the folders that links were followed from
 * @param wanted false if a rule leaves the folder out and may want something in it
 */
record WalkPosition(String path, List<String> place, List<List<String>> left, boolean wanted) {
  static WalkPosition start(List<String> place) {
    return new WalkPosition("", place, List.of(), true);
  }

  String path(String name) {
    return path.isEmpty() ? name : path + "/" + name;
  }

  List<String> place(String name) {
    var all = new ArrayList<>(place);
    all.add(name);
    return List.copyOf(all);
  }

  /** The place as one text. */
  String text() {
    return String.join("/", place);
  }

  WalkPosition at(String path, List<String> place, boolean wanted) {
    return new WalkPosition(path, place, left, wanted);
  }

  /** The position at what a link in this folder leads to. */
  WalkPosition byLink(String path, List<String> to) {
    var all = new ArrayList<>(left);
    all.add(place);
    return new WalkPosition(path, to, List.copyOf(all), true);
  }

  boolean isByLink() {
    return !left.isEmpty();
  }

  /** Whether the walk is within a folder already. */
  boolean isWithin(List<String> folder) {
    return LinkResolver.startsWith(place, folder)
        || left.stream().anyMatch(from -> LinkResolver.startsWith(from, folder));
  }
}
