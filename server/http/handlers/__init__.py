"""One module of request handlers for each subject; `server.http.routes` lists their addresses."""
