//! Empty: the crate exists so that cargo fetches the C sources of its dependencies, and builds those of zlib and bzip2.
