package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;

/** HTTP entry point of the function {@code api}: see {@link ControlPlaneFunctions#api}. */
public final class ApiFunction implements HttpFunction {
  private final HttpFunction entry = FunctionWiring.shared().api();

  @Override
  public void service(HttpRequest request, HttpResponse response) throws Exception {
    entry.service(request, response);
  }
}
