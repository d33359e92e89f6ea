//! Empty: the crate exists so that cargo builds the C libraries of its dependencies.
