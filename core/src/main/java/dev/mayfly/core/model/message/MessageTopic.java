package dev.mayfly.core.model.message;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The topic by which a message came. Who may publish to it is all that is certain of the publisher:
 * Pub/Sub does not tell, and its audit log has no entries for it.
 *
 * @param carries the kinds of commands that it carries
 * @param person whose own topic it is; empty for the one of all, whose publishers may act for every
 *     owner
 */
public record MessageTopic(UserTopic carries, Optional<String> person) {
  /** Of a topic's id and of the trigger that reads it, whose limit is the shorter. */
  private static final Pattern PERSON = Pattern.compile("[a-z]([-a-z0-9]{0,38}[a-z0-9])?");

  /** Throws {@link IllegalArgumentException} for a name that no topic can have. */
  public MessageTopic {
    if (person.filter(name -> !isPerson(name)).isPresent())
      throw new IllegalArgumentException("no topic can be called after " + person.get());
  }

  /** The topic of all. */
  public static MessageTopic ofAll(UserTopic carries) {
    return new MessageTopic(carries, Optional.empty());
  }

  /** A person's own topic. */
  public static MessageTopic of(UserTopic carries, String person) {
    return new MessageTopic(carries, Optional.of(person));
  }

  /** Whether a person of that name can have topics: up to 40 of {@code a-z}, 0-9 and hyphens. */
  public static boolean isPerson(String name) {
    return PERSON.matcher(name).matches();
  }

  /** The topic of that id, such as {@code mayfly-jobs-ann}; empty if it carries no commands. */
  public static Optional<MessageTopic> ofId(String id) {
    for (var carries : UserTopic.values()) {
      if (id.equals(carries.id())) return Optional.of(ofAll(carries));
      if (!id.startsWith(carries.id() + "-")) continue;
      var person = id.substring(carries.id().length() + 1);
      if (isPerson(person)) return Optional.of(of(carries, person));
    }
    return Optional.empty();
  }

  /** Its name in the project. */
  public String id() {
    return person.map(name -> carries.id() + "-" + name).orElse(carries.id());
  }

  /** The topic of the same publishers for other kinds of commands. */
  public MessageTopic carrying(UserTopic others) {
    return new MessageTopic(others, person);
  }
}
