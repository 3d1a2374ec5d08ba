package dev.mayfly.functions;

import com.google.cloud.functions.HttpFunction;
import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;

/**
 * HTTP entry point of the function {@code workers}, for agents' calls: see {@link
 * ControlPlaneFunctions#workers}.
 */
public final class WorkersFunction implements HttpFunction {
  private final HttpFunction entry = FunctionWiring.shared().workers();

  @Override
  public void service(HttpRequest request, HttpResponse response) throws Exception {
    entry.service(request, response);
  }
}
