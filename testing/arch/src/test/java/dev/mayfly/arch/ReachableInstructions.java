package dev.mayfly.arch;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The instructions of a method that can run if only some kinds of a sealed type occur. */
final class ReachableInstructions {
  private final List<CodeElement> code = new ArrayList<>();
  private final Map<Label, Integer> places = new HashMap<>();
  private final List<ExceptionCatch> handlers = new ArrayList<>();
  private final Predicate<String> alive;
  private final TreeSet<Integer> live = new TreeSet<>();
  private final ArrayDeque<Integer> open = new ArrayDeque<>();

  private ReachableInstructions(MethodModel method, Predicate<String> alive) {
    this.alive = alive;
    for (var element : method.code().orElseThrow()) {
      if (element instanceof LabelTarget target) places.put(target.label(), code.size());
      if (element instanceof ExceptionCatch handler) handlers.add(handler);
      code.add(element);
    }
  }

  /**
   * @param alive the internal names of classes that a {@code switch} by type may meet
   */
  static List<Instruction> live(MethodModel method, Predicate<String> alive) {
    if (method.code().isEmpty()) return List.of();
    return new ReachableInstructions(method, alive).run();
  }

  private List<Instruction> run() {
    open.add(0);
    while (!open.isEmpty()) {
      var at = open.poll();
      if (at >= code.size() || !live.add(at)) continue;
      next(at);
      for (var handler : handlers)
        if (places.get(handler.tryStart()) <= at && at < places.get(handler.tryEnd()))
          open.add(places.get(handler.handler()));
    }
    return live.stream()
        .map(code::get)
        .filter(Instruction.class::isInstance)
        .map(Instruction.class::cast)
        .toList();
  }

  private void next(int at) {
    switch (code.get(at)) {
      case BranchInstruction jump -> {
        open.add(places.get(jump.target()));
        if (jump.opcode() != Opcode.GOTO && jump.opcode() != Opcode.GOTO_W) open.add(at + 1);
      }
      case TableSwitchInstruction choice -> choose(at, choice.cases(), choice.defaultTarget());
      case LookupSwitchInstruction choice -> choose(at, choice.cases(), choice.defaultTarget());
      case ReturnInstruction _, ThrowInstruction _ -> {}
      default -> open.add(at + 1);
    }
  }

  private void choose(int at, List<SwitchCase> cases, Label otherwise) {
    var kinds = kinds(at);
    for (var each : cases) {
      var number = each.caseValue();
      if (number < 0 || number >= kinds.size() || comes(kinds.get(number)))
        open.add(places.get(each.target()));
    }
    open.add(places.get(otherwise));
  }

  private boolean comes(ConstantDesc kind) {
    if (!(kind instanceof ClassDesc type)) return true;
    var name = type.descriptorString();
    return alive.test(name.substring(1, name.length() - 1));
  }

  /** The types that a switch distinguishes; empty if it is not about types. */
  private List<ConstantDesc> kinds(int at) {
    for (var before = at - 1; before >= 0; before--) {
      var element = code.get(before);
      if (element instanceof InvokeDynamicInstruction call)
        return call.bootstrapMethod().methodName().equals("typeSwitch")
            ? call.bootstrapArgs()
            : List.of();
      if (element instanceof Instruction) return List.of();
    }
    return List.of();
  }
}
