//! The tables together, in the order in which their descriptions are told.

use super::super::rule::Rule;
use super::{
    code, container, deletion, git, hermes, network, overwrite, package, permission, sql, system,
    upload, windows,
};

/// Returns every rule.
pub(in super::super) fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables: [&'static [Rule]; 13] = [
        &deletion::RULES,
        &windows::RULES,
        &permission::RULES,
        &sql::RULES,
        &system::RULES,
        &network::RULES,
        &upload::RULES,
        &overwrite::RULES,
        &hermes::RULES,
        &container::RULES,
        &code::RULES,
        &git::RULES,
        &package::RULES,
    ];
    tables.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::super::rule::check_rows;
    use super::*;

    #[test]
    fn every_row_finds_its_commands_and_no_others() {
        check_rows(rules());
    }

    #[test]
    fn descriptions_are_told_apart() {
        let descriptions: HashSet<_> = rules().map(|rule| rule.description).collect();
        assert_eq!(descriptions.len(), rules().count());
    }
}
