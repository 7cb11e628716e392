"""The wire contract: what server and clients say to each other, over the socket and over HTTP.

`values` and `messages` are the socket's, `bodies` are HTTP's, `endpoints` is the table of HTTP endpoints, `codec` reads
and writes them, `schema` makes the OpenAPI and AsyncAPI documents, `links` says what leads where in
them, `typescript` makes the types in `wire.d.ts` for the web client, `examples` shows one of each.

Compatible changes are new messages and new keys: whoever reads ignores the keys it does not know (`docs/stability.md`).
"""
