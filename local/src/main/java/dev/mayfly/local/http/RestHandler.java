package dev.mayfly.local.http;

import java.io.IOException;

/** Answers one call, or throws an {@link ApiError}. Runs concurrently. */
@FunctionalInterface
public interface RestHandler {
  void answer(RestCall restCall) throws IOException;
}
