//! The steps of the build, one file each, and their order.

mod artifact;
mod compile;
mod fetch;
mod guest;
mod libraries;
mod native;
mod preinit;
mod profile;
mod python;
mod stdlib;
pub(crate) mod system;
mod verify;

use crate::step::Step;

/// Returns the steps in the order of work. The system's set-up comes before them and is not among them, as it looks at
/// the machine each time.
pub(crate) fn all(profile: bool) -> Vec<Box<dyn Step>> {
    let mut steps: Vec<Box<dyn Step>> = vec![
        Box::new(fetch::Fetch),
        Box::new(native::Native),
        Box::new(libraries::Libraries),
        Box::new(profile::Profile),
        Box::new(python::Python),
        Box::new(stdlib::Stdlib),
        Box::new(guest::Guest),
        Box::new(preinit::Preinit),
        Box::new(artifact::Artifact),
        Box::new(compile::Compile),
        Box::new(verify::Verify),
    ];
    steps.retain(|step| profile || step.name() != profile::NAME);
    steps
}
