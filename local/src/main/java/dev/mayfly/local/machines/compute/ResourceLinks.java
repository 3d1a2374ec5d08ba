package dev.mayfly.local.machines.compute;

import dev.mayfly.local.http.ApiError;

/**
 * Resource names as URLs in the format of the real API.
 *
 * @param project this cloud's only project
 */
record ResourceLinks(String project) {
  private static final String BASE = "https://www.googleapis.com/compute/v1/";

  String region(String region) {
    return BASE + "projects/" + project + "/regions/" + region;
  }

  String zone(String zone) {
    return BASE + "projects/" + project + "/zones/" + zone;
  }

  String instance(String zone, String name) {
    return BASE + inZone(zone, "instances", name);
  }

  String operation(String zone, String name) {
    return BASE + inZone(zone, "operations", name);
  }

  String machineType(String zone, String name) {
    return BASE + inZone(zone, "machineTypes", name);
  }

  /** The path of a resource, as errors name it. */
  String inZone(String zone, String kind, String name) {
    return "projects/%s/zones/%s/%s/%s".formatted(project, zone, kind, name);
  }

  /** The path of a resource, as errors name it. */
  String inRegion(String region, String kind, String name) {
    return "projects/%s/regions/%s/%s/%s".formatted(project, region, kind, name);
  }

  static ApiError missing(String path) {
    return ApiError.notFound("The resource '" + path + "' was not found");
  }

  static ApiError taken(String path) {
    return ApiError.exists("The resource '" + path + "' already exists");
  }

  /** The last part of a full or partial URL: the resource's short name. */
  static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }
}
