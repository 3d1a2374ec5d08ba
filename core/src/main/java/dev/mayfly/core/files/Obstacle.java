package dev.mayfly.core.files;

import dev.mayfly.core.port.ObjectNames;

/** Why an entry of a folder is not stored. */
public sealed interface Obstacle {
  /** Characters of a path in a sentence. */
  int MOST_SHOWN = 60;

  /** What follows the entry's name in a sentence. */
  String words();

  /**
   * A path in a sentence, which has little room: the end says most, and the beginning whose it is.
   */
  static String shown(String path) {
    var text = ObjectNames.printable(path);
    if (text.length() <= MOST_SHOWN) return text;
    var end = text.length() - MOST_SHOWN * 2 / 3;
    var cut = Character.isLowSurrogate(text.charAt(end)) ? end + 1 : end;
    return ObjectNames.truncate(text, MOST_SHOWN / 3 - 1) + "\u2026" + text.substring(cut);
  }

  /** A link that cannot be stored as what it leads to. */
  sealed interface Link extends Obstacle {
    String target();

    /** What follows the target. */
    String where();

    @Override
    default String words() {
      return "is a link to " + shown(target()) + ", " + where();
    }
  }

  record Outside(String target) implements Link {
    @Override
    public String where() {
      return "which leads outside of the folder";
    }
  }

  record Nowhere(String target) implements Link {
    @Override
    public String where() {
      return "which is not there";
    }
  }

  /** Links that lead to each other. */
  record Ring(String target) implements Link {
    @Override
    public String where() {
      return "which leads back to the link";
    }
  }

  /** Stored as what it leads to, it would contain itself without end. */
  record Loop(String target) implements Link {
    @Override
    public String where() {
      return "a folder that it is in";
    }
  }

  /** It leads to an entry that is itself {@link Unwanted}. */
  record NotPacked(String target) implements Link {
    @Override
    public String where() {
      return "which is not among the packed files";
    }
  }

  /** Links multiply what is there. */
  record TooMany(String target, int limit) implements Link {
    @Override
    public String where() {
      return "and links make more than %,d files and folders of what is there".formatted(limit);
    }
  }

  record Special() implements Obstacle {
    @Override
    public String words() {
      return "is a pipe, a socket or a device, which holds nothing to store";
    }
  }

  /**
   * @param problem follows the words "a name"
   */
  record Name(String problem) implements Obstacle {
    @Override
    public String words() {
      return "has a name " + problem;
    }
  }

  record Unreadable(String problem) implements Obstacle {
    @Override
    public String words() {
      return "cannot be read: " + problem;
    }
  }

  record TooDeep(int limit) implements Obstacle {
    @Override
    public String words() {
      return "lies more than " + limit + " folders deep";
    }
  }

  /** A rule for such folders leaves it out. */
  record Unwanted(Rule rule) implements Obstacle {
    /** Who says so. */
    public enum Rule {
      /** A folder with a name that only generated folders have. */
      GENERATED,
      /** A folder with programs for this machine, by what is in it. */
      ENVIRONMENT,
      /** Git's own folder. */
      REPOSITORY,
      /** What git ignores. */
      GIT,
      /** What the person has named. */
      NAMED
    }

    @Override
    public String words() {
      return switch (rule) {
        case GENERATED -> "is a generated folder";
        case ENVIRONMENT -> "is an environment of Python";
        case REPOSITORY -> "is git's own folder";
        case GIT -> "is ignored by git";
        case NAMED -> "is named in .mayflyignore";
      };
    }
  }
}
