package dev.mayfly.local.machines;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.nio.file.Path;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Stored records with one of Google's messages in them, which is written in Google's JSON. */
public final class StoredRecords {
  private StoredRecords() {}

  /**
   * @param prototype the message's type
   */
  public static <T> StoredValues<T> of(
      Path folder, Class<T> type, Message prototype, Function<T, String> name) {
    var json = mapper(prototype);
    return new StoredValues<>(
        folder, name, json::writeValueAsString, text -> json.readValue(text, type));
  }

  @SuppressWarnings("unchecked") // A message's class is that of its type.
  private static <M extends Message> JsonMapper mapper(M prototype) {
    var type = (Class<M>) prototype.getClass();
    var module = new SimpleModule();
    module.addSerializer(
        type,
        new ValueSerializer<M>() {
          @Override
          public void serialize(M value, JsonGenerator out, SerializationContext context) {
            out.writeTree(JsonMapper.shared().readTree(ProtoJson.print(value)));
          }
        });
    module.addDeserializer(
        type,
        new ValueDeserializer<M>() {
          @Override
          public M deserialize(JsonParser in, DeserializationContext context) {
            try {
              var text = context.readTree(in).toString();
              return (M) ProtoJson.parse(text, prototype.newBuilderForType()).build();
            } catch (InvalidProtocolBufferException e) {
              throw MismatchedInputException.from(in, type, e.getMessage());
            }
          }
        });
    return JsonMapper.builder().addModule(module).build();
  }
}
