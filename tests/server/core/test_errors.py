"""The list of refusals in the module that has them is true."""

import re

from cadogan.server.core import errors


def test_every_refusal_has_the_code_and_the_status_of_the_list() -> None:
    listed = re.findall(r"── (\w+) +(?:([a-z_]+) )?\s*(\d{3})", errors.__doc__ or "")
    kinds = {kind.__name__: kind for kind in vars(errors).values() if isinstance(kind, type)}
    refusals = {name: kind for name, kind in kinds.items() if issubclass(kind, errors.RefusalError)}
    assert {name for name, _, _ in listed} == refusals.keys() - {"RefusalError"}
    for name, code, status in listed:
        assert (refusals[name].code, refusals[name].status) == (code or refusals[name].code, int(status)), name
