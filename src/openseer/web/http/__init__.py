"""HTTP below the routes: connections, hosts and origins, limits of concurrent work."""
