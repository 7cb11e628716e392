"""One module of request handlers for each subject; `cadogan.server.http.routes` lists their addresses."""
