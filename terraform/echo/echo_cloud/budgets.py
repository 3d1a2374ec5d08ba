"""Budgets of a billing account."""

import copy
import uuid

from .routes import route
from .settings import SETTINGS
from .state import STATE, add, drop_zero, etag, find, mask, merge, require


def budget_rules(it):
    amount = it.get("amount", {}).get("specifiedAmount")
    if amount:
        require(
            amount.get("currencyCode", SETTINGS.currency) == SETTINGS.currency,
            f"Request contains an invalid argument: the currency of the amount ({amount.get('currencyCode')}) is not that of the billing account ({SETTINGS.currency})",
        )
        amount["currencyCode"] = SETTINGS.currency
    for threshold in it.get("thresholdRules", []):
        threshold.setdefault("spendBasis", "CURRENT_SPEND")
    filter_ = it.setdefault("budgetFilter", {})
    filter_.setdefault("creditTypesTreatment", "INCLUDE_ALL_CREDITS")
    filter_.setdefault("calendarPeriod", "MONTH")
    require(len(it.get("displayName", "")) <= 60, "display_name is longer than 60")


BUDGET = "v1/(billingAccounts/[^/]+/budgets/[^/]+)"


@route("billingbudgets.googleapis.com", "POST", "v1/(billingAccounts/[^/]+)/budgets")
def post_budgets(query, body, project):
    it = copy.deepcopy(body)
    budget_rules(it)
    name = f"{project}/budgets/{uuid.uuid4()}"
    it.update(name=name, etag=etag())
    return add("budget/" + name, drop_zero(it))


@route("billingbudgets.googleapis.com", "GET", BUDGET)
def get_budgets(query, body, name):
    return find("budget/" + name, f'budget "{name}" not found')


@route("billingbudgets.googleapis.com", "PATCH", BUDGET)
def patch_budgets(query, body, name):
    it = find("budget/" + name)
    merge(it, body, mask(query, body))
    budget_rules(it)
    return it


@route("billingbudgets.googleapis.com", "DELETE", BUDGET)
def delete_budgets(query, body, name):
    find("budget/" + name)
    del STATE["objects"]["budget/" + name]
    return {}
