"""The endpoints of the log's root hash and of the interface documents."""

from cadogan.wire import bodies
from cadogan.wire.endpoint import API, Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        f"{API}/root",
        "show_root",
        "Show the hash of everything that was revealed before today, which proves that a backup is complete",
        response=bodies.LogRoot,
    ),
    Endpoint("GET", f"{API}/openapi.json", "openapi", "Show this document", document="An OpenAPI 3.1 document."),
    Endpoint(
        "GET",
        f"{API}/asyncapi.json",
        "asyncapi",
        "Show the document of the socket",
        document="An AsyncAPI 3.0 document.",
    ),
)
