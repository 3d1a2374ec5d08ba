package dev.mayfly.local.pubsub;

import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.ApiError;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a caller may do with topics, as Terraform grants it: the owner all, others to publish.
 *
 * @param who as the refusal names the caller
 * @param topics that others publish to; empty for the owner
 */
record TopicRights(String who, Optional<List<String>> topics) {
  /** Of a caller whom the guard let in. */
  static TopicRights of(OwnerToken owner, String bearer) {
    var person = owner.person(bearer);
    return switch (owner.holder(bearer).orElse(TokenHolder.OWNER)) {
      case TASK ->
          new TopicRights("a task with submitter: true", Optional.of(List.of(UserTopic.JOBS.id())));
      case SUBMITTER -> own(person.orElseThrow(), UserTopic.JOBS);
      case ADMIN -> own(person.orElseThrow(), UserTopic.values());
      case VIEWER -> own(person.orElseThrow());
      case OWNER, PERSON, MACHINE -> new TopicRights("the owner", Optional.empty());
    };
  }

  private static TopicRights own(String person, UserTopic... carries) {
    return new TopicRights(
        person,
        Optional.of(
            List.of(carries).stream().map(it -> MessageTopic.of(it, person).id()).toList()));
  }

  /**
   * Throws 403 unless the caller may make the call.
   *
   * @param last step of its path: {@code TOPIC:publish}, or a topic
   */
  void check(String last) {
    if (topics.isEmpty() || topics.get().stream().anyMatch(it -> last.equals(it + ":publish")))
      return;
    throw new ApiError(
        403,
        "forbidden",
        "User not authorized to perform this action: %s publishes to %s only"
            .formatted(who, topics.get().stream().collect(Collectors.joining(" and "))));
  }
}
