package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;

/** HTTP: agents' calls, as the Functions Framework makes it: see {@link Deployment#workers}. */
public final class Workers implements HttpFunction {
  private final HttpFunction entry = Wiring.shared().workers();

  @Override
  public void service(HttpRequest request, HttpResponse response) throws Exception {
    entry.service(request, response);
  }
}
