import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

meant = ("/problems/bad-cursor", "/problems/media-type-mismatch")


@schemathesis.check
def described_data_acceptance(ctx, response, case):
    """positive_data_acceptance, but for what no JSON Schema can say.

    422: a body that can be read and still cannot be used, since it names a spec that is not there, a range that ends
    before it begins, or a thing that is removed. A cursor is opaque: only the list that gave it out knows whether it did.
    Headers and path have a bound together, which no parameter has alone. 410 and 412: what was erased, or has changed
    since. Whether the bytes of a document are of the kind that they are said to be, only the bytes tell; so it is with 416.
    HEAD is answered without the body that would say which of these it was: GET of the same path is asked instead.
    """
    if response.status_code in (410, 412, 416, 422, 431):
        return None
    if case.method.upper() == "HEAD" and response.status_code in (400, 415):
        return None
    if response.status_code in (400, 415) and response.json().get("type") in meant:
        return None
    return positive_data_acceptance(ctx, response, case)
