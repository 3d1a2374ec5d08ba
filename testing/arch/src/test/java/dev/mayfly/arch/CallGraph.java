package dev.mayfly.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The methods reachable from some methods, from the bytecode. Of a {@code switch} over a sealed
 * type only the branches of possible kinds are followed.
 *
 * <p>It overestimates. A call of an interface reaches all implementations; a lambda is called where
 * it is created, or, if a constructor creates it, by any method of the object. Reflection is not
 * seen.
 */
final class CallGraph {
  /** A method, by the internal names of the class file. */
  record Method(String owner, String name, String type) {
    private static Method of(MethodHandleEntry handle) {
      var there = handle.reference();
      return new Method(
          there.owner().asInternalName(), there.name().stringValue(), there.type().stringValue());
    }

    /** {@code Fleet.delete(Leftover)}. */
    String shortly() {
      var simple = new StringBuilder();
      for (var part : java.lang.constant.MethodTypeDesc.ofDescriptor(type).parameterArray())
        simple
            .append(simple.isEmpty() ? "" : ", ")
            .append(part.displayName().replaceAll(".*\\$", ""));
      return owner.replaceAll(".*[/$]", "") + "." + name + "(" + simple + ")";
    }
  }

  /**
   * The modules deployed with a function: no simulation and no laptop cloud implements a port
   * there.
   */
  private static final Pattern DEPLOYED =
      Pattern.compile("dev\\.mayfly\\.(core|wire|gcs|gcp|functions)\\..*");

  private final Map<String, Optional<ClassModel>> classes = new HashMap<>();
  private final Map<String, Set<String>> below = new HashMap<>();
  private final Predicate<String> ends;
  private final Predicate<String> alive;
  private final Set<Method> seen = new HashSet<>();
  private final ArrayDeque<Method> open = new ArrayDeque<>();
  private final Map<String, Method> made = new TreeMap<>();
  private final Set<Method> reached = new LinkedHashSet<>();
  private final Map<Method, Method> callers = new HashMap<>();
  private Method here = new Method("", "", "()V");

  /**
   * @param ends internal names of interfaces whose calls are found and not followed
   * @param alive internal names of the kinds of a sealed type whose branches are followed
   */
  CallGraph(Predicate<String> ends, Predicate<String> alive) {
    this.ends = ends;
    this.alive = alive;
    for (var each : ProductionClasses.CLASSES)
      each.getAllSubclasses().stream()
          .filter(sub -> DEPLOYED.matcher(sub.getName()).matches())
          .forEach(sub ->
              below
                  .computeIfAbsent(internal(each.getName()), _ -> new TreeSet<>())
                  .add(internal(sub.getName())));
  }

  private static String internal(String name) {
    return name.replace('.', '/');
  }

  /** All methods of that name in the class. */
  CallGraph from(Class<?> owner, String name) {
    var found =
        model(internal(owner.getName())).orElseThrow().methods().stream()
            .filter(m -> m.methodName().stringValue().equals(name))
            .toList();
    if (found.isEmpty()) throw new AssertionError(owner + " has no method " + name);
    for (var method : found) enter(internal(owner.getName()), method);
    follow();
    return this;
  }

  private void enter(String owner, MethodModel method) {
    here = new Method("", "", "()V");
    open(new Method(owner, method.methodName().stringValue(), method.methodType().stringValue()));
  }

  private void open(Method method) {
    open.add(method);
    callers.putIfAbsent(method, here);
  }

  /** Calls of the interfaces at which the search ends. */
  Set<Method> reached() {
    return reached;
  }

  /** The internal names of types created with {@code new} on the way. */
  Set<String> made() {
    return made.keySet();
  }

  /** The path from the entry to that call, for people. */
  String wayTo(Method call) {
    var way = new ArrayList<String>();
    for (var at = call; at != null && !at.name().isEmpty(); at = callers.get(at))
      way.addFirst(at.shortly());
    return String.join(" > ", way);
  }

  /** The path to the creation of a type. */
  String wayToMake(String name) {
    return Optional.ofNullable(made.get(name)).map(this::wayTo).orElse("");
  }

  private void follow() {
    while (!open.isEmpty()) {
      var next = open.poll();
      if (!seen.add(next)) continue;
      here = next;
      if (ends.test(next.owner())) reached.add(next);
      else if (next.owner().startsWith("dev/mayfly/")) look(next);
    }
  }

  private void look(Method method) {
    for (var owner : implementers(method)) {
      var found = find(owner, method);
      if (found.isEmpty()) continue;
      for (var instruction : ReachableInstructions.live(found.get(), alive)) call(instruction);
      if (!method.name().equals("<init>")) lambdas(owner);
    }
  }

  /** The class itself, its supertypes and all subtypes: each is a possible receiver. */
  private List<String> implementers(Method method) {
    var all = new LinkedHashSet<String>();
    all.add(method.owner());
    if (!method.name().equals("<init>")) all.addAll(below.getOrDefault(method.owner(), Set.of()));
    return List.copyOf(all);
  }

  /** The method in the class, or the one that it inherits. */
  private Optional<MethodModel> find(String owner, Method method) {
    var model = model(owner);
    if (model.isEmpty()) return Optional.empty();
    for (var each : model.get().methods())
      if (each.methodName().stringValue().equals(method.name())
          && each.methodType().stringValue().equals(method.type())) return Optional.of(each);
    var above = new LinkedHashSet<String>();
    model.get().superclass().ifPresent(s -> above.add(s.asInternalName()));
    model.get().interfaces().forEach(i -> above.add(i.asInternalName()));
    for (var each : above) {
      var inherited = find(each, method);
      if (inherited.isPresent()) return inherited;
    }
    return Optional.empty();
  }

  /** Lambdas passed to a constructor may be called by any method of the object. */
  private void lambdas(String owner) {
    for (var method : model(owner).orElseThrow().methods())
      if (method.methodName().equalsString("<init>"))
        for (var instruction : ReachableInstructions.live(method, alive))
          if (instruction instanceof InvokeDynamicInstruction made) handles(made);
  }

  private void call(Instruction instruction) {
    switch (instruction) {
      case InvokeInstruction call ->
          open(
              new Method(
                  call.owner().asInternalName(),
                  call.name().stringValue(),
                  call.type().stringValue()));
      case InvokeDynamicInstruction made -> handles(made);
      case NewObjectInstruction fresh -> made.putIfAbsent(fresh.className().asInternalName(), here);
      default -> {}
    }
  }

  private void handles(InvokeDynamicInstruction lambda) {
    for (LoadableConstantEntry argument : lambda.invokedynamic().bootstrap().arguments())
      if (argument instanceof MethodHandleEntry handle) open(Method.of(handle));
  }

  private Optional<ClassModel> model(String name) {
    return classes.computeIfAbsent(name, CallGraph::load);
  }

  private static Optional<ClassModel> load(String name) {
    if (!name.startsWith("dev/mayfly/")) return Optional.empty();
    try (var in = CallGraph.class.getResourceAsStream("/" + name + ".class")) {
      if (in == null) throw new AssertionError("no class file of " + name);
      return Optional.of(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
