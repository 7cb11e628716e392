"""The pages and their files: which file an address names, how it is cached, and what a preview of a link says."""
