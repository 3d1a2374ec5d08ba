package dev.mayfly.local.cloud.storage;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.Refused;
import dev.mayfly.local.cloud.rest.Rest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves Cloud Storage's JSON interface from plain folders, one a bucket: each object is a file
 * that a person can open, and a file that a person puts there is an object. Everything outlives the
 * process, killed or not. Google's own clients work with it, also by what only some of them use:
 * batches, the XML interface's reads, and uploads at gcloud's address.
 */
public final class StorageSurface {
  private final Buckets buckets;
  private final Uploads uploads;
  private final Copies copies;
  private final XmlObjects xml;
  private final Rest rest;

  /**
   * @param folder has a folder for each bucket
   * @param clock dates objects and numbers their generations
   * @param faults what goes wrong on purpose
   * @param onDemand whether a write makes a bucket that is missing, where the real service says
   *     404; reading never makes one
   */
  public StorageSurface(Path folder, InstantSource clock, Faults faults, boolean onDemand) {
    buckets = new Buckets(folder, clock, onDemand);
    uploads = new Uploads(buckets);
    copies = new Copies(buckets);
    xml = new XmlObjects(buckets);
    rest = new Rest(faults, Resources::error);
  }

  /** The same, where missing buckets are missing. */
  public StorageSurface(Path folder, InstantSource clock, Faults faults) {
    this(folder, clock, faults, false);
  }

  /** By path prefix. */
  public Map<String, HttpHandler> routes() {
    var calls = rest.handler(call -> answer(call, rest(call, 2)));
    return Map.of(
        "/storage/v1/", calls,
        "/download/storage/v1/", rest.handler(call -> answer(call, rest(call, 3))),
        "/upload/storage/v1/", rest.handler(call -> uploads.answer(call, rest(call, 3))),
        // As gcloud begins uploads in pieces.
        "/resumable/upload/storage/v1/", rest.handler(call -> uploads.answer(call, rest(call, 4))),
        "/batch/storage/v1", rest.handler(call -> Batch.answer(call, calls)),
        "/", rest.handler(this::atRoot));
  }

  /**
   * Node's client takes the address of an emulator for the JSON interface's own, {@code /b/BUCKET};
   * everything else is {@code /BUCKET/OBJECT}, and no bucket has a name of one letter.
   */
  private void atRoot(Call call) throws IOException {
    if (call.path().getFirst().equals("b")) answer(call, call.path());
    else xml.answer(call);
  }

  private static List<String> rest(Call call, int from) {
    return call.path().subList(from, call.path().size());
  }

  /**
   * @param path from {@code b} on, which comes first
   */
  private void answer(Call call, List<String> path) throws IOException {
    if (!path.getFirst().equals("b")) throw unknown(call);
    switch (path.size()) {
      case 1 -> allBuckets(call);
      case 2 -> oneBucket(call, path.get(1));
      case 3 -> inBucket(call, path.get(1), path.get(2));
      default -> {
        if (!path.get(2).equals("o")) throw unknown(call);
        objects(call, buckets.get(path.get(1)), path);
      }
    }
  }

  private void objects(Call call, Bucket bucket, List<String> path) throws IOException {
    var name = Uploads.checked(path.get(3));
    if (path.size() == 4) ObjectCalls.answer(call, bucket, name);
    else if (path.size() == 5 && path.get(4).equals("compose")) copies.compose(call, bucket, name);
    else if (path.size() == 7 && path.get(4).equals("moveTo") && path.get(5).equals("o"))
      copies.move(call, bucket, path);
    else if (path.size() == 9 && path.get(4).matches("copyTo|rewriteTo"))
      copies.copy(call, bucket, path);
    else throw unknown(call);
  }

  private void allBuckets(Call call) throws IOException {
    if (call.method().equals("POST")) {
      var wanted = call.json(1 << 20);
      var name = wanted.path("name").asString("");
      var settings = new BucketSettings(Call.JSON.createObjectNode()).patched(wanted);
      buckets.create(name, BucketPlace.of(wanted));
      if (settings.isSet()) settings.write(buckets.get(name).settings());
      call.answer(200, described(call, name));
      return;
    }
    var node = Call.JSON.createObjectNode().put("kind", "storage#buckets");
    var items = node.putArray("items");
    var prefix = call.query("prefix").orElse("");
    for (var name : buckets.names()) if (name.startsWith(prefix)) items.add(described(call, name));
    call.answer(200, node);
  }

  private void oneBucket(Call call, String name) throws IOException {
    var bucket = buckets.get(name);
    switch (call.method()) {
      case "GET" -> {}
      case "PATCH", "PUT" ->
          BucketSettings.read(bucket.settings())
              .patched(call.json(1 << 20))
              .write(bucket.settings());
      case "DELETE" -> {
        buckets.delete(name);
        call.answer(204);
        return;
      }
      default -> throw unknown(call);
    }
    call.answer(200, described(call, name));
  }

  private ObjectNode described(Call call, String name) throws IOException {
    var created = buckets.created(name).orElseThrow(() -> Buckets.missing(name));
    var node = Resources.bucket(call.origin(), name, buckets.place(name), created);
    BucketSettings.read(buckets.get(name).settings()).tell(node);
    return node;
  }

  private void inBucket(Call call, String name, String what) throws IOException {
    var bucket = buckets.get(name);
    if (!call.method().equals("GET")) throw unknown(call);
    switch (what) {
      case "o" -> call.answer(200, Listing.of(bucket, call));
      case "storageLayout" -> call.answer(200, buckets.place(name).layout(name));
      // There are none: a folder is what objects' names have in common.
      case "managedFolders" ->
          call.answer(200, Call.JSON.createObjectNode().put("kind", "storage#managedFolders"));
      default -> throw unknown(call);
    }
  }

  private static Refused unknown(Call call) {
    return Refused.notFound(
        "The laptop cloud does not serve " + call.method() + " /" + String.join("/", call.path()));
  }
}
