import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance


@schemathesis.check
def described_data_acceptance(ctx, response, case):
    """positive_data_acceptance, but for what no JSON Schema can say.

    422: a body that can be read and still cannot be used, since it names a spec that is not there, a range that ends
    before it begins, or a thing that is removed. A cursor is opaque: only the list that gave it out knows whether it did.
    Headers and path have a bound together, which no parameter has alone.
    """
    if response.status_code in (422, 431):
        return None
    if response.status_code == 400 and response.json().get("type") == "/problems/bad-cursor":
        return None
    return positive_data_acceptance(ctx, response, case)
