import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

meant = tuple(
    f"/problems/{slug}"
    for slug in (
        *("bad-cursor", "media-type-mismatch", "document-too-large", "idempotency-mismatch"),
        *("unknown-spec", "budget-exceeds-spec", "unmet-rules", "undecodable"),
    )
)


# What the description says by itself, so that a request which it allows is never refused for it.
of_form = ("It is needed, and missing.", "There is no field")


def is_meant(response):
    problem = response.json()
    if problem.get("type") in meant:
        return True
    if problem.get("type") != "/problems/invalid-request":
        return False
    return not any(error["detail"].startswith(of_form) for error in problem["errors"])


@schemathesis.check
def described_data_acceptance(ctx, response, case):
    """positive_data_acceptance, but for what no JSON Schema can say.

    422: a body that can be read and still cannot be used, since it names a spec that is not there, bounds that the spec
    does not allow, or a range that ends before it begins; never for a field that is missing or not known. A cursor is opaque: only the list that gave it out knows whether it did.
    Headers and path have a bound together, which no parameter has alone. 410 and 412: what was erased, or has changed
    since. Whether the bytes of a document are of the kind that they are said to be, only the bytes tell; so it is with 416.
    HEAD is answered without the body that would say which of these it was: GET of the same path is asked instead.
    """
    if response.status_code in (410, 412, 416, 431):
        return None
    if case.method.upper() == "HEAD" and response.status_code in (400, 415, 422):
        return None
    if response.status_code in (400, 413, 415, 422) and is_meant(response):
        return None
    return positive_data_acceptance(ctx, response, case)
