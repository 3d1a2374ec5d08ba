package dev.mayfly.gcp.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.gcp.LazyClient;
import java.util.Map;

/** Publishes single messages to a deployment's topics. */
final class TopicPublisher {
  private final PubSubSettings settings;
  private final LazyClient<PublisherStub> stub;

  TopicPublisher(PubSubSettings settings) {
    this.settings = settings;
    stub = new LazyClient<>("Pub/Sub", () -> PublisherStubFactory.open(settings));
  }

  /**
   * Returns when Pub/Sub has accepted the message. Throws {@link UnavailableException} if it is not
   * known to have.
   */
  void publish(String topic, byte[] data, Map<String, String> attributes) {
    var path = "projects/" + settings.project() + "/topics/" + topic;
    var message =
        PubsubMessage.newBuilder().setData(ByteString.copyFrom(data)).putAllAttributes(attributes);
    var request = PublishRequest.newBuilder().setTopic(path).addMessages(message).build();
    try {
      var _ = stub.get().publishCallable().call(request);
    } catch (ApiException e) {
      throw new UnavailableException(
          "Pub/Sub did not accept a message for " + path + ": " + e.getStatusCode().getCode(), e);
    }
  }
}
