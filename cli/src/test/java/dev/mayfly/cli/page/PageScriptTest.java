package dev.mayfly.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Modules become one script, or are refused. */
class PageScriptTest {
  private final Map<String, String> modules = new HashMap<>();

  @Test
  void moduleComesOnceAndBeforeThoseThatImportIt() {
    modules.put(
        "app.js", "import { a } from './a.js';\nimport { b as other } from './b.js';\na(other);");
    modules.put("a.js", "import { b } from './b.js';\nexport const a = (it) => it + b;");
    modules.put("b.js", "/** One. */\nexport const b = 1;\nexport async function c() {}");

    assertThat(joined())
        .isEqualTo(
            """
            (() => {
            'use strict';
            const module0 = (() => {
            /** One. */
            const b = 1;
            async function c() {}
            return { b: b, c: c };
            })();
            const module1 = (() => {
            const { b: b } = module0;
            const a = (it) => it + b;
            return { a: a };
            })();
            const module2 = (() => {
            const { a: a } = module1;
            const { b: other } = module0;
            a(other);
            return {  };
            })();
            })();
            """);
  }

  @Test
  void listsOfExportsAndDefaultsAreKnown() {
    modules.put("app.js", "import Plot from './lib/plot.js';\nPlot();");
    modules.put("lib/plot.js", "const a=1;export{a as b,a as default};");

    assertThat(joined())
        .contains("return { b: a, default: a };", "const { default: Plot } = module0;");
  }

  @Test
  void exportInACommentIsNone() {
    modules.put("app.js", "/*\nexport function a() {}\n*/\nexport const b = 1;");

    assertThat(joined()).contains("return { b: b };");
  }

  @Test
  void whatNobodyExportsIsNamed() {
    modules.put("app.js", "import { b } from './a.js';");
    modules.put("a.js", "export const a = 1, b = 2;");

    refused("app.js imports b, which nobody exports");
  }

  @Test
  void circleAndUnknownFormsAreRefused() {
    modules.put("app.js", "import { a } from './a.js';\nexport const b = 1;");
    modules.put("a.js", "import { b } from './app.js';\nexport const a = 1;");
    refused("app.js imports itself");

    modules.put("a.js", "import './b.js';\nexport const a = 1;");
    refused("a.js has an import or export of another form");
  }

  @Test
  void textThatEndsAScriptIsRefused() {
    modules.put("app.js", "const it = '</SCRIPT >';");

    refused("ends a script");
  }

  private String joined() {
    return PageScript.joined("app.js", modules::get);
  }

  private void refused(String why) {
    assertThatThrownBy(this::joined)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
  }
}
