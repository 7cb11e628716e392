"""Tools for every handler: reading a request, getting the server, and answering."""
