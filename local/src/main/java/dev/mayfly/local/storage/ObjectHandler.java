package dev.mayfly.local.storage;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.ObjectAttributes;
import dev.mayfly.local.storage.bucket.RequestPreconditions;
import java.io.IOException;
import java.util.Optional;

/** Calls about one object: {@code …/b/BUCKET/o/OBJECT}. */
final class ObjectHandler {
  private static final int CAP = 1 << 20;

  private ObjectHandler() {}

  static void answer(RestCall restCall, Bucket bucket, String name) throws IOException {
    switch (restCall.method()) {
      case "GET", "HEAD" -> {
        if (restCall.query("alt").filter("media"::equals).isPresent())
          DownloadHandler.answer(restCall, bucket, name);
        else get(restCall, bucket, name);
      }
      case "DELETE" -> {
        // gcsfuse deletes generation 0, which the service takes for the live one.
        var named = generation(restCall).filter(generation -> generation != 0);
        bucket.delete(name, named, RequestPreconditions.of(restCall));
        restCall.answer(204);
      }
      case "PATCH" -> {
        var patch = restCall.json(CAP);
        describe(restCall, bucket, name, old -> old.patched(patch));
      }
      case "PUT" -> {
        var update = ObjectAttributes.of(restCall.json(CAP));
        describe(restCall, bucket, name, old -> update);
      }
      default ->
          throw new ApiError(
              405, "methodNotAllowed", restCall.method() + " is not a method of an object");
    }
  }

  static Optional<Long> generation(RestCall restCall) {
    return restCall.number("generation");
  }

  private static void get(RestCall restCall, Bucket bucket, String name) throws IOException {
    var object = bucket.get(name, generation(restCall));
    RequestPreconditions.of(restCall).checkRead(object);
    restCall.answer(200, ResourceJson.object(restCall.origin(), bucket.name(), object));
  }

  private static void describe(
      RestCall restCall,
      Bucket bucket,
      String name,
      java.util.function.UnaryOperator<ObjectAttributes> change)
      throws IOException {
    var changed =
        bucket.updateAttributes(
            name, generation(restCall), RequestPreconditions.of(restCall), change);
    restCall.answer(200, ResourceJson.object(restCall.origin(), bucket.name(), changed));
  }
}
