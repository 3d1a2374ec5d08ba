"""The search of a log: the first hit is shown, keys go on and back and leave, and lines that come do not move what was found."""

import re

import answers
from playwright.sync_api import Page, expect

TOP = "document.querySelector('.log').scrollTop"


def _lines(first: int, last: int) -> list[str]:
    return [f"line {i} needle" if i in (3, 200, 398) else f"line {i}" for i in range(first, last)]


def _found(page: Page, number: str, text: str) -> None:
    expect(page.locator(".bar [role=status]")).to_have_text(number)
    expect(page.locator(".log .now")).to_have_text(re.compile(text))
    expect(page.locator(".log .now")).to_be_in_viewport()


def check(page: Page, base: str) -> None:
    answers.Answers(page, base)
    page.add_init_script(answers.LOG)
    page.goto("about:blank")
    page.goto(f"{base}#/c/lab/j/{answers.UID}/logs")
    expect(page.locator(".log")).to_be_visible()
    page.evaluate("print(" + str(_lines(0, 400)) + ")")
    expect(page.locator(".bar")).to_contain_text("400 lines · live")
    follow = page.get_by_label("follow")
    expect(follow).to_be_checked()
    assert page.evaluate(TOP) > 5_000, "it does not follow"

    # The keys are said, and work from anywhere.
    expect(page.locator(".keys")).to_have_text("/ search · Enter next · Shift+Enter previous · Escape clears and leaves")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("needle")
    _found(page, "1 of 3", "line 3 needle")
    page.keyboard.press("Enter")
    _found(page, "2 of 3", "line 200 needle")
    page.keyboard.press("Enter")
    _found(page, "3 of 3", "line 398 needle")
    # It stands at the end, and what is printed now would push it away.
    expect(follow).not_to_be_checked()
    page.evaluate("print(" + str(_lines(400, 500)) + ")")
    expect(page.locator(".bar")).to_contain_text("500 lines")
    _found(page, "3 of 3", "line 398 needle")
    page.keyboard.press("Shift+Enter")
    _found(page, "2 of 3", "line 200 needle")
    page.keyboard.press("Escape")
    expect(page.locator("[data-search]")).to_have_value("")
    expect(page.locator(".log .hit")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "main"

    # In a log that has ended too the first hit is the first that is shown, whenever its lines come.
    page.goto("about:blank")
    page.goto(f"{base}#/c/lab/j/{answers.UID}/logs")
    expect(page.locator(".log")).to_be_visible()
    page.evaluate("print(" + str(_lines(4, 190)) + ")")
    page.keyboard.press("/")
    page.keyboard.type("NEEDLE")
    expect(page.locator(".bar [role=status]")).to_have_text("nothing")
    page.evaluate("(print(" + str(_lines(190, 600)) + "), end())")
    expect(page.locator(".bar")).to_contain_text("596 lines · ended")
    _found(page, "1 of 2", "line 200 needle")
    page.keyboard.press("Enter")
    _found(page, "2 of 2", "line 398 needle")

    # The search of tables has the same keys.
    page.goto(f"{base}#/c/lab/events?q=nothing")
    expect(page.locator("[data-search]")).to_have_value("nothing")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Events").locator("tbody tr")).to_have_count(1)
    assert page.url.endswith("/events"), page.url
    page.unroute_all(behavior="ignoreErrors")
