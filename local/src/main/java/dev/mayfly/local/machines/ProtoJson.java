package dev.mayfly.local.machines;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;

/** Converts Google's messages to and from the JSON of their REST API. */
public final class ProtoJson {
  private ProtoJson() {}

  public static String print(MessageOrBuilder message) {
    try {
      return JsonFormat.printer().omittingInsignificantWhitespace().print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(
          "Cannot print " + message.getDescriptorForType().getFullName(), e);
    }
  }

  /**
   * Fills {@code builder} from JSON; unknown fields are skipped.
   *
   * @throws InvalidProtocolBufferException when the text is not JSON, or a value has the wrong type
   */
  public static <B extends Message.Builder> B parse(String json, B builder)
      throws InvalidProtocolBufferException {
    JsonFormat.parser().ignoringUnknownFields().merge(json, builder);
    return builder;
  }
}
