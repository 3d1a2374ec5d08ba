package dev.mayfly.local.storage;

import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.storage.bucket.Bucket;
import dev.mayfly.local.storage.bucket.BucketFolders;
import dev.mayfly.local.storage.bucket.BucketLocation;
import dev.mayfly.local.storage.bucket.BucketSettings;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves Cloud Storage's JSON API from plain folders, one per bucket: each object is a file that
 * people can open, and a file that people add is an object. Everything survives the process, even
 * when it is killed. Supports Google's clients, including batches, reads by the XML API, and
 * gcloud's upload address.
 */
public final class StorageApi {
  private final BucketFolders bucketFolders;
  private final UploadHandler uploadHandler;
  private final CopyHandler copyHandler;
  private final XmlApi xml;
  private final Function<RestCall, ObjectRights> rights;
  private final AccessLevel access;

  /**
   * @param folder the parent of the buckets' folders
   * @param clock the source of objects' times and generations
   * @param onDemand whether a write creates a missing bucket, where the real service answers 404;
   *     reads never do
   * @param rights what a call may do, by its credential
   */
  public StorageApi(
      Path folder, InstantSource clock, boolean onDemand, Function<RestCall, ObjectRights> rights) {
    this(new BucketFolders(folder, clock, onDemand), rights, AccessLevel.OBJECTS);
  }

  private StorageApi(
      BucketFolders bucketFolders, Function<RestCall, ObjectRights> rights, AccessLevel access) {
    this.rights = rights;
    this.access = access;
    this.bucketFolders = bucketFolders;
    uploadHandler = new UploadHandler(bucketFolders, rights);
    copyHandler = new CopyHandler(bucketFolders, rights);
    xml = new XmlApi(bucketFolders);
  }

  /**
   * The same buckets, as they are served at a machine's metadata server: any process of this user
   * is admitted there, because Google's clients send no credentials to endpoints other than
   * Google's.
   */
  public StorageApi onMachines(Function<RestCall, ObjectRights> callers) {
    return new StorageApi(bucketFolders, callers, AccessLevel.SAME_USER);
  }

  public List<Route> routes() {
    var calls = route("/storage/v1/", restCall -> answer(restCall, rest(restCall, 2)));
    return List.of(
        calls,
        route("/download/storage/v1/", restCall -> answer(restCall, rest(restCall, 3))),
        route("/upload/storage/v1/", restCall -> uploadHandler.answer(restCall, rest(restCall, 3))),
        // gcloud's address for resumable uploads.
        route(
            "/resumable/upload/storage/v1/",
            restCall -> uploadHandler.answer(restCall, rest(restCall, 4))),
        route("/batch/storage/v1", restCall -> BatchHandler.answer(restCall, calls)),
        route("/", this::atRoot));
  }

  private Route route(String prefix, RestHandler handler) {
    return new Route(prefix, handler, access);
  }

  /**
   * Node's client takes an emulator's address as the root of the JSON API, {@code /b/BUCKET};
   * everything else is {@code /BUCKET/OBJECT}. No bucket name has one letter, so this is
   * unambiguous.
   */
  private void atRoot(RestCall restCall) throws IOException {
    if (restCall.path().getFirst().equals("b")) answer(restCall, restCall.path());
    else xml.answer(restCall);
  }

  private static List<String> rest(RestCall restCall, int from) {
    return restCall.path().subList(from, restCall.path().size());
  }

  /**
   * @param path path segments, beginning with {@code b}
   */
  private void answer(RestCall restCall, List<String> path) throws IOException {
    if (!path.getFirst().equals("b")) throw restCall.unserved();
    switch (path.size()) {
      case 1 -> allBuckets(restCall);
      case 2 -> oneBucket(restCall, path.get(1));
      case 3 -> inBucket(restCall, path.get(1), path.get(2));
      default -> {
        if (!path.get(2).equals("o")) throw restCall.unserved();
        objects(restCall, bucketFolders.get(path.get(1)).as(rights.apply(restCall)), path);
      }
    }
  }

  private void objects(RestCall restCall, Bucket bucket, List<String> path) throws IOException {
    var name = UploadHandler.checkedName(path.get(3));
    if (path.size() == 4) ObjectHandler.answer(restCall, bucket, name);
    else if (path.size() == 5 && path.get(4).equals("compose"))
      copyHandler.compose(restCall, bucket, name);
    else if (path.size() == 7 && path.get(4).equals("moveTo") && path.get(5).equals("o"))
      copyHandler.move(restCall, bucket, path);
    else if (path.size() == 9 && path.get(4).matches("copyTo|rewriteTo"))
      copyHandler.copy(restCall, bucket, path);
    else throw restCall.unserved();
  }

  private void allBuckets(RestCall restCall) throws IOException {
    if (restCall.method().equals("POST")) {
      rights.apply(restCall).checkBuckets("storage.buckets.create", "");
      var wanted = restCall.json(1 << 20);
      var name = wanted.path("name").asString("");
      var settings = new BucketSettings(RestCall.JSON.createObjectNode()).patched(wanted);
      bucketFolders.create(name, BucketLocation.of(wanted));
      if (settings.isSet()) settings.write(bucketFolders.get(name).settings());
      restCall.answer(200, described(restCall, name));
      return;
    }
    var node = RestCall.JSON.createObjectNode().put("kind", "storage#buckets");
    var items = node.putArray("items");
    var prefix = restCall.query("prefix").orElse("");
    for (var name : bucketFolders.names())
      if (name.startsWith(prefix)) items.add(described(restCall, name));
    restCall.answer(200, node);
  }

  private void oneBucket(RestCall restCall, String name) throws IOException {
    var bucket = bucketFolders.get(name);
    var caller = rights.apply(restCall);
    switch (restCall.method()) {
      case "GET" -> {}
      case "PATCH", "PUT" -> {
        caller.checkBuckets("storage.buckets.update", name);
        BucketSettings.read(bucket.settings())
            .patched(restCall.json(1 << 20))
            .write(bucket.settings());
      }
      case "DELETE" -> {
        caller.checkBuckets("storage.buckets.delete", name);
        bucketFolders.delete(name);
        restCall.answer(204);
        return;
      }
      default -> throw restCall.unserved();
    }
    restCall.answer(200, described(restCall, name));
  }

  private ObjectNode described(RestCall restCall, String name) throws IOException {
    var created = bucketFolders.created(name).orElseThrow(() -> BucketFolders.missing(name));
    var node = ResourceJson.bucket(restCall.origin(), name, bucketFolders.place(name), created);
    BucketSettings.read(bucketFolders.get(name).settings()).writeTo(node);
    return node;
  }

  private void inBucket(RestCall restCall, String name, String what) throws IOException {
    var bucket = bucketFolders.get(name);
    if (!restCall.method().equals("GET")) throw restCall.unserved();
    switch (what) {
      case "o" -> restCall.answer(200, ObjectListing.of(bucket, restCall));
      case "storageLayout" -> restCall.answer(200, bucketFolders.place(name).layout(name));
      // None exist: folders are only prefixes of names.
      case "managedFolders" ->
          restCall.answer(
              200, RestCall.JSON.createObjectNode().put("kind", "storage#managedFolders"));
      default -> throw restCall.unserved();
    }
  }
}
