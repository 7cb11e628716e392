"""The wire contract: every message and body that server and clients send each other, over the socket and over HTTP.

- `messages`: the messages of the socket. `values`: the values that messages and bodies share.
- `bodies`, `boards`, `races`, `results`, `settings`, `tokens`: the bodies of HTTP requests and responses.
  Those about evenings are in `evenings`, `evening_standings`, `arenas` and `virtual_evenings`; `evening_values` has
  what these share.
- `endpoints`: the table of all HTTP endpoints. `endpoint`: what an endpoint is.
- `beacon`: the rounds of a public beacon of randomness.
- `refusals`: the errors of the contract, one class for each code; the server and the SDK raise them.
- `codec`: encodes and decodes messages and bodies.
- `schema`: makes the OpenAPI and AsyncAPI documents. `links`: the links between operations in them.
- `typescript`: makes `wire.d.ts`, the types for the web client. `python -m cadogan.wire` writes all three.
- `examples`: one example of each message and body.

The server and all clients import this package; it imports nothing else of this repository. Docstrings of messages and
bodies are part of the published documents. New messages and new keys are compatible changes, because readers ignore
keys that they do not know (`docs/stability.md`).
"""
