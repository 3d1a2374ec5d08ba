package dev.mayfly.fuzz;

import java.util.List;

/** Requests in order, with the places of {@link CallersMistakes}. */
final class HttpSeeds {
  static final String JSON = "Content-Type: application/json\nAuthorization: Bearer x\n\n";
  static final String UPLOAD = "POST /upload/storage/v1/b/lab/o?uploadType=";

  private static final String OBJECT = "/storage/v1/b/<t:lab>/o/<t:a%2Fb>";

  static final List<String> STORAGE =
      List.of(
          "GET " + OBJECT + "?alt=media&generation=<n:1>\nRange: bytes=<n:0>-<n:2>\n",
          "GET " + OBJECT + "?alt=media\nRange: <r:bytes=-2>\n",
          "GET "
              + OBJECT
              + "?ifGenerationMatch=<n:1>&ifMetagenerationNotMatch=<n:1>&projection=<t:full>\n",
          "GET /storage/v1/b/<t:lab>/o?prefix=<t:a>&delimiter=<t:/>&maxResults=<n:2>&pageToken=<t:b2E=>&matchGlob=<t:a>&startOffset=<t:a>&endOffset=<t:z>\n",
          "PATCH " + OBJECT + "\n" + JSON + "{\"metadata\":<j:{}>,\"contentType\":<j:null>}",
          "PATCH /storage/v1/b/<t:lab>\n" + JSON + "{\"labels\":<j:{}>,\"storageClass\":<j:null>}",
          "POST /storage/v1/b?project=<t:p>\n" + JSON + "{\"name\":<j:\"fresh\">}",
          "POST "
              + OBJECT
              + "/compose?ifGenerationMatch=<n:0>\n"
              + JSON
              + "{\"sourceObjects\":[{\"name\":<j:\"a/b\">,\"generation\":<j:\"1\">,\"objectPreconditions\":{\"ifGenerationMatch\":<j:\"1\">}}],\"destination\":<j:{}>}",
          "POST " + OBJECT + "/compose\n" + JSON + "{\"sourceObjects\":<j:[]>}",
          "POST "
              + OBJECT
              + "/rewriteTo/b/<t:lab>/o/<t:e>?sourceGeneration=<n:1>\n"
              + JSON
              + "<j:{}>",
          "POST " + OBJECT + "/moveTo/o/<t:e>\n" + JSON + "{}",
          UPLOAD
              + "<t:media>&name=<t:x>&ifGenerationMatch=<n:0>\nContent-Type: <r:text/plain>\n\nhello",
          UPLOAD + "media&name=x\nContent-Encoding: gzip\n\n<r:no gzip>",
          UPLOAD + "media&name=x\nContent-Encoding: gzip\n\n\u001f\u008b\b\u0000<r:cut>",
          UPLOAD
              + "multipart\nContent-Type: multipart/related; boundary=<r:x>\n\n--x\r\n<r:a: b>\r\n\r\n{\"name\":<j:\"c\">,\"md5Hash\":<j:null>,\"crc32c\":<j:null>,\"metadata\":<j:{}>,\"customTime\":<j:null>}\r\n--x\r\n\r\nhi\r\n--x--",
          UPLOAD + "resumable&name=<t:d>\n" + JSON + "<j:{}>",
          "PUT /upload/storage/v1/b/lab/o?uploadType=resumable&upload_id=<t:x>\nContent-Range: <r:bytes 0-1/2>\n\nhi",
          "POST /storage/v1/b/lab/o\nX-HTTP-Method-Override: GET\n\n<r:prefix=a>",
          "POST /batch/storage/v1\nContent-Type: multipart/mixed; boundary=x\n\n--x\r\nContent-ID: <r:1>\r\n\r\n<r:DELETE /storage/v1/b/lab/o/c HTTP/1.1>\r\n\r\n\r\n--x--",
          "GET /<t:lab>/<t:a>\nx-goog-if-generation-match: <n:1>\nAccept-Encoding: <r:gzip>\n");

  static final List<String> CLOUD =
      List.of(
          "POST /v1/projects/<t:p>/topics/<t:mayfly-jobs>:publish\n"
              + JSON
              + "{\"messages\":[{\"data\":<j:\"aGk=\">,\"attributes\":<j:{}>,\"orderingKey\":<j:null>}]}",
          "POST /v1/projects/p/topics/mayfly-jobs:publish\n" + JSON + "{\"messages\":<j:[]>}",
          "POST /v1/projects/p/topics/mayfly-jobs:publish\n" + JSON + "<j:{}>",
          "GET /v1/projects/p/topics?pageSize=<n:2>&pageToken=<t:x>\n",
          "POST /v1/projects/p/secrets?secretId=<t:token>\n" + JSON + "<j:{}>",
          "POST /v1/projects/p/secrets/<t:token>:addVersion\n"
              + JSON
              + "{\"payload\":{\"data\":<j:\"aGk=\">}}",
          "GET /v1/projects/p/secrets/<t:token>/versions/<n:1>:access\n" + JSON);

  private static final String ZONE = "/compute/v1/projects/<t:p>/zones/<t:us-central1-a>/";

  static final List<String> COMPUTE =
      List.of(
          "GET /compute/v1/projects/p/aggregated/<t:instances>?filter=<t:labels.a=b>&maxResults=<n:2>&pageToken=<t:x>\n",
          "GET " + ZONE + "instances?filter=<t:labels.a:*>&maxResults=<n:2>&pageToken=<t:x>\n",
          "GET " + ZONE + "<t:instances>/<t:one>\n",
          "GET " + ZONE + "operations?pageToken=<t:x>&maxResults=<n:1>\n",
          "POST "
              + ZONE
              + "instances?requestId=<t:r>\n"
              + JSON
              + "{\"name\":<j:\"one\">,\"machineType\":<j:\"zones/us-central1-a/machineTypes/n2-standard-2\">,\"disks\":<j:[]>,\"networkInterfaces\":<j:[]>,\"scheduling\":<j:{}>,\"labels\":<j:{}>,\"metadata\":<j:{}>,\"guestAccelerators\":<j:[]>}",
          "DELETE " + ZONE + "instances/<t:one>?requestId=<t:r>\n",
          "POST " + ZONE + "instances/<t:one>/setLabels\n" + JSON + "<j:{}>",
          "POST " + ZONE + "disks\n" + JSON + "{\"name\":<j:\"d\">,\"sizeGb\":<j:1>}",
          "POST /compute/v1/projects/p/regions/<t:us-central1>/addresses\n" + JSON + "<j:{}>",
          "POST /compute/v1/projects/p/regions/<t:us-central1>/resourcePolicies\n"
              + JSON
              + "<j:{}>",
          "POST /_sim/<t:quota>?cpus=<n:1>&region=<t:x>&ms=<n:1>&next=<n:1>&chips=<n:1>\n",
          "POST /_sim/vms/<t:one>/<t:preempt>?seconds=<n:1>&unseen=<n:1>&host=<n:0>\n",
          "POST /_sim/zones/<t:us-central1-a>/stock?n=<n:1>&type=<t:x>\n");

  static final List<String> FUNCTION =
      List.of(
          "POST /functions/mayfly-jobs\nce-id: <r:1>\nce-source: <r://x>\nce-type: <r:t>\n\n<j:{}>",
          "POST /functions/mayfly-jobs\nce-id: 1\nContent-Encoding: gzip\n\n<r:no gzip>",
          "POST /functions/mayfly-jobs\nce-id: 1\nce-source: //pubsub.googleapis.com/projects/p/topics/mayfly-jobs<t:-ann>\n\n{\"message\":{\"data\":<j:\"aGk=\">,\"messageId\":<j:\"m\">,\"publishTime\":<j:\"2026-11-01T00:00:00Z\">,\"attributes\":<j:{}>}}",
          "GET /api/v1/clusters/<t:lab>/jobs?limit=<n:1>&owner=<t:a>&state=<t:running>&page=<t:x>\n",
          "GET /api/v1/clusters/<t:lab>/jobs/<t:j>/tasks?limit=<n:1>&from=<n:0>&state=<t:failed>&sort=<t:x>\n",
          "GET /api/v1/clusters/<t:lab>/events?limit=<n:1>&since=<t:2026-11-01T00:00:00Z>&before=<t:x>\n",
          "GET /api/v1/clusters/lab/<t:workers>/<t:x>\nIf-None-Match: <r:x>\nAccept: <r:text/html>\n",
          "POST /workers/v1/sync\nAuthorization: <r:Bearer a.b.c>\nContent-Length: <n:2>\n\n<j:{}>",
          "POST /workers/v1/watch\nAuthorization: Bearer a.b.c\n\n<j:{}>");

  static final List<String> PROOF =
      List.of("GET /_mayfly/proof?nonce=<t:AAAAAAAAAAAAAAAAAAAAAAAA>&holder=<t:7>\n");

  private HttpSeeds() {}
}
