package dev.mayfly.gcp.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.gcp.LazyClient;
import dev.mayfly.wire.Wire;

/** Publishes each trigger as one message, and returns when Pub/Sub has accepted it. */
final class TopicTriggerBus implements TriggerBus {
  private final PubSubSettings settings;
  private final LazyClient<PublisherStub> stub;

  TopicTriggerBus(PubSubSettings settings) {
    this.settings = settings;
    stub = new LazyClient<>("Pub/Sub", () -> PublisherStubFactory.open(settings));
  }

  @Override
  public void send(Trigger trigger) {
    var topic = "projects/" + settings.project() + "/topics/" + PubSubTopics.of(trigger);
    var message =
        PubsubMessage.newBuilder()
            .setData(ByteString.copyFrom(Wire.shared().trigger(trigger)))
            .putAttributes(PubSubTopics.TRIGGER, "1");
    var request = PublishRequest.newBuilder().setTopic(topic).addMessages(message).build();
    try {
      var _ = stub.get().publishCallable().call(request);
    } catch (ApiException e) {
      throw new UnavailableException(
          "Pub/Sub did not accept a trigger for " + topic + ": " + e.getStatusCode().getCode(), e);
    }
  }
}
