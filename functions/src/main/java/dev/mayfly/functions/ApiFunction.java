package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;

/**
 * HTTP: what people and the CLI read, as the Functions Framework makes it: see {@link
 * ControlPlaneFunctions#api}.
 */
public final class ApiFunction implements HttpFunction {
  private final HttpFunction entry = FunctionWiring.shared().api();

  @Override
  public void service(HttpRequest request, HttpResponse response) throws Exception {
    entry.service(request, response);
  }
}
