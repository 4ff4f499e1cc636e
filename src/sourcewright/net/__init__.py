"""HTTP requests: the only code that opens a socket."""
