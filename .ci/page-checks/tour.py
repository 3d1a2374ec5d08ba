"""The page on the situations of docs/tour.md: it shows the words that mayfly explain prints. What the control plane answers in each is what the simulation recorded; the page is the one that mayfly ui serves."""

import json
import pathlib
import re
from typing import Any

from playwright.sync_api import Page, Route, expect

RECORDED = pathlib.Path("testing/sim/src/test/resources/dev/mayfly/sim/tour")
TOUR = pathlib.Path("docs/tour.md")
# Of this one there is a picture.
PICTURED = "stockout"
# A point in time in a sentence of mayfly explain.
POINT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z")


class _Scene:
    """Facts about a situation, and the answers of its control plane by path."""

    def __init__(self, file: pathlib.Path) -> None:
        lines = file.read_text().splitlines()
        places = [i for i, it in enumerate(lines) if it.startswith("/")]
        self.name = file.stem.split("-", 1)[1]
        self.facts = dict(it.split(": ", 1) for it in lines[: places[0]])
        self.answers = {lines[i]: lines[i + 1] for i in places}

    def answer(self, route: Route) -> None:
        path = route.request.url.split("/api", 1)[1].split("?")[0].replace(f"/jobs/{self.facts['uid']}", "/jobs/train")
        if path.endswith("/events"):
            route.fulfill(json=json.loads(self.answers["/v1/clusters/lab/jobs/train/explain"])["events"])
        elif path.endswith("/tasks"):
            # None of them tells how far it is.
            route.fulfill(json={"tasks": []})
        elif path in self.answers:
            route.fulfill(body=self.answers[path], content_type="application/json")
        else:
            route.fulfill(status=404, json={"status": 404, "error": f"nothing at {path}"})

    def use(self, route: Route) -> None:
        """What the page's own server answers: none of their tasks was measured."""
        asks = next(it.split("each task asks for ", 1)[1] for it in self.printed() if it.startswith("  each task asks for "))
        route.fulfill(json={"asks": asks})

    def _in_zone(self, text: str) -> str:
        """Its points in time as the page tells them, here in UTC: of today without the day."""
        return POINT.sub(lambda it: it[2] if it[1] == self.facts["now"][:10] else f"{it[1]} {it[2]}", text)

    def printed(self) -> list[str]:
        """What mayfly explain prints of it, unwrapped and with its times as on the page."""
        block = TOUR.read_text().split(f"\n### {self.facts['title']}\n", 1)[1].split("```\n")[1]
        lines: list[str] = []
        for line in block.splitlines():
            # A line that is wrapped goes on four columns further in.
            margin = len(line) - len(line.lstrip())
            if lines and line and margin >= 4 + (len(lines[-1]) - len(lines[-1].lstrip())):
                lines[-1] += " " + line.strip()
            else:
                lines.append(line)
        return [self._in_zone(it) for it in lines]


def _shown(page: Page) -> dict[str, Any]:
    return page.evaluate("""() => {
      const plain = (it) => it.textContent.replace(/\\s+/g, ' ').trim();
      const said = (it) => [plain(it.querySelector('b')), plain(it).slice(plain(it.querySelector('b')).length).trim()];
      const why = document.querySelector('.why');
      const about = Object.fromEntries([...document.querySelectorAll('main dl dt')].map((it) => [plain(it), plain(it.nextElementSibling)]));
      return { summary: plain(why.querySelector('p')), said: [...why.querySelectorAll('li, p:has(b)')].map(said), start: about.start, end: about.end, cost: about.cost };
    }""")


def _compare(page: Page, scene: _Scene) -> None:
    printed = scene.printed()
    title = printed[0].split("  ", 1)[1]
    about = printed[1 : next(i for i, it in enumerate(printed) if it.startswith("  each task asks for "))]
    facts = {name: next((it.split(": ", 1)[1] for it in printed if it.startswith(f"  {name}: ")), None) for name in ("start", "end", "cost")}
    shown = _shown(page)
    assert title.endswith(shown["summary"]), f"{scene.name}: the page says {shown['summary']}, explain {title}"
    said = [f"  {kind}: {text}" for kind, text in shown["said"]]
    assert said == about, f"{scene.name}: the page says {said}, explain {about}"
    for name, printed_fact in facts.items():
        assert shown.get(name) == printed_fact, f"{scene.name}: the page says {name} {shown.get(name)}, explain {printed_fact}"
    text = f"{shown['summary']} {' '.join(said)}"
    assert scene.facts["remedy"] in text, f"{scene.name}: no word of what helps in {text}"
    assert scene.facts["evidence"] in text, f"{scene.name}: no word of what was seen in {text}"


def check(page: Page, base: str, axe: str, said: list[str], *, picture: str = "") -> int:
    """Opens the page on each, and returns how many there are; with a path also takes a picture."""
    scenes = [_Scene(it) for it in sorted(RECORDED.glob("*.txt"))]
    for scene in scenes:
        page.goto("about:blank")
        page.clock.set_fixed_time(scene.facts["now"])
        page.unroute_all(behavior="ignoreErrors")
        page.route(re.compile(re.escape(base) + "api/v1/"), scene.answer)
        page.route(re.compile(re.escape(base) + "api/use/"), scene.use)
        page.goto(f"{base}#/c/lab/j/train")
        expect(page.locator(".why")).to_be_visible()
        expect(page.locator("dt", has_text=re.compile("^cost$"))).to_be_visible()
        if json.loads(scene.answers["/v1/clusters/lab/jobs/train"]).get("endedAt") is None:
            expect(page.locator("dt", has_text=re.compile("^end$"))).to_be_visible()
        _compare(page, scene)
        page.evaluate(axe)
        for it in page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]:
            said.append(f"tour: axe: {scene.name}: {it['id']}: {it['help']}: {it['nodes'][0]['html'][:160]}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{scene.name} is wider than the window"
        if picture and scene.name == PICTURED:
            page.screenshot(path=picture)
    page.unroute_all(behavior="ignoreErrors")
    return len(scenes)
