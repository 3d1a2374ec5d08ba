package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;

/**
 * HTTP: what people and the CLI read, as the Functions Framework makes it: see {@link
 * Deployment#api}.
 */
public final class Api implements HttpFunction {
  private final HttpFunction entry = Wiring.shared().api();

  @Override
  public void service(HttpRequest request, HttpResponse response) throws Exception {
    entry.service(request, response);
  }
}
