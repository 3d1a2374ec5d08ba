"""Secret Manager: who reads which secret; secrets are there before."""

from .policies import policy_of, set_policy
from .routes import note, route
from .state import find

SECRET = "v1/(projects/[^/]+/secrets/[^/:]+)"


def secret(name):
    return find("secret/" + name, f"Secret [{name}] not found.")


@route("secretmanager.googleapis.com", "GET", SECRET)
def get_secrets(query, body, name):
    return secret(name)


@route("secretmanager.googleapis.com", "GET", SECRET + ":getIamPolicy")
def get_secrets_get_iam_policy(query, body, name):
    secret(name)
    return policy_of("secret/" + name)


@route("secretmanager.googleapis.com", "POST", SECRET + ":setIamPolicy")
def post_secrets_set_iam_policy(query, body, name):
    secret(name)
    result, noted = set_policy("secret/" + name, body)
    note(noted)
    return result
