"""What every handler needs: reading a request, the server, and answering."""
