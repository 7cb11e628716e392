"""One of several processes that serve on one port. The supervisor runs `python -m` this module with DESCRIPTOR."""

import asyncio
import socket
import sys
from contextlib import suppress

import uvloop

from cadogan.server.cli.options import report_errors
from cadogan.server.cli.output import Failure
from cadogan.server.cli.serving.supervisor_link import SupervisorLink
from cadogan.server.cli.serving.web_server import logging_end, raise_socket_limit, serve_app, stop_on_signals
from cadogan.server.core import logs
from cadogan.server.core.web.requests import SERVER
from cadogan.server.web_app import make_app


async def serve_beside_others(descriptor: int) -> None:
    """Serve as configured by the supervisor over this inherited descriptor, until it closes or a signal arrives."""
    stop = stop_on_signals()
    link = await SupervisorLink.open(descriptor)
    begin = link.begin
    logs.configure(begin.settings.log_level, begin.settings.log_format, process=begin.number)
    sockets = [socket.socket(fileno=each) for each in begin.sockets]
    app = make_app(begin.settings)
    app[SERVER].render_metrics = link.total
    listening = asyncio.create_task(link.listen())
    listening.add_done_callback(lambda task: None if task.cancelled() else stop("the supervisor has gone"))
    try:
        with report_errors(begin.settings):
            async with serve_app(app, begin.settings, sockets):
                link.ready(app[SERVER].metrics.registry)
                await link.give_signs_of_life()
    finally:
        link.send_figures()
        listening.cancel()
        await link.close()


def main() -> None:
    """Run the process; if it cannot serve, print the reason as one sentence and exit with code 1."""
    raise_socket_limit()
    try:
        with (
            logging_end(),
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
            suppress(asyncio.CancelledError),
        ):
            runner.run(serve_beside_others(int(sys.argv[1])))
    except Failure as failure:
        failure.show()
        sys.exit(failure.exit_code)


if __name__ == "__main__":
    main()
