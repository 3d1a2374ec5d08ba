/**
 * Triggers for Mayfly's own functions, over Pub/Sub.
 *
 * <p>Start with {@link dev.mayfly.gcp.pubsub.PubSub}; {@link dev.mayfly.gcp.pubsub.PubSubTopics}
 * names the topics. Messages are published singly through the client's stub instead of its batching
 * publisher: a function sends one trigger and ends, so a batch would only add delay and threads.
 */
@NullMarked
package dev.mayfly.gcp.pubsub;

import org.jspecify.annotations.NullMarked;
