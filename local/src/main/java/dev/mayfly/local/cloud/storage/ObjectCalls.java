package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.util.Optional;

/** Calls about one object: {@code …/b/BUCKET/o/OBJECT}. */
final class ObjectCalls {
  private static final int CAP = 1 << 20;

  private ObjectCalls() {}

  static void answer(Call call, Bucket bucket, String name) throws IOException {
    switch (call.method()) {
      case "GET", "HEAD" -> {
        if (call.query("alt").filter("media"::equals).isPresent())
          Download.answer(call, bucket, name);
        else get(call, bucket, name);
      }
      case "DELETE" -> {
        bucket.delete(name, generation(call), Conditions.of(call));
        call.answer(204);
      }
      case "PATCH" -> {
        var patch = call.json(CAP);
        describe(call, bucket, name, old -> old.patched(patch));
      }
      case "PUT" -> {
        var update = Attributes.of(call.json(CAP));
        describe(call, bucket, name, old -> update);
      }
      default ->
          throw new Refused(405, "methodNotAllowed", call.method() + " is no method of an object");
    }
  }

  static Optional<Long> generation(Call call) {
    return call.number("generation");
  }

  private static void get(Call call, Bucket bucket, String name) throws IOException {
    var object = bucket.get(name, generation(call));
    Conditions.of(call).checkRead(object);
    call.answer(200, Resources.object(call.origin(), bucket.name(), object));
  }

  private static void describe(
      Call call, Bucket bucket, String name, java.util.function.UnaryOperator<Attributes> change)
      throws IOException {
    var changed = bucket.describe(name, generation(call), Conditions.of(call), change);
    call.answer(200, Resources.object(call.origin(), bucket.name(), changed));
  }
}
