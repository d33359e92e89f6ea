//! Names of time zones, as IANA writes them and this machine knows them.
//!
//! A zone that the C library does not know is UTC to it, without a word: so a name that is not there is no name. Where there are no zones
//! at all, as on Windows, the form of a name has to do.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Letters of the longest name, and some more.
const MAX_NAME: usize = 64;

/// Where systems keep their zones.
const PLACES: [&str; 4] = [
    "/usr/share/zoneinfo",
    "/usr/lib/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
];

/// A zone that every collection has.
const ALWAYS: &str = "UTC";

/// How a file with a zone begins ([RFC 9636](https://www.rfc-editor.org/rfc/rfc9636)).
const MAGIC: &[u8; 4] = b"TZif";

/// Tells whether scripts can have this time zone.
pub(super) fn is_zone(name: &str) -> bool {
    is_zone_of(name, &PLACES.map(Path::new))
}

fn is_zone_of(name: &str, places: &[&Path]) -> bool {
    let place = places.iter().find(|place| has(place, ALWAYS));
    is_name(name) && place.is_none_or(|place| has(place, name))
}

fn is_name(name: &str) -> bool {
    let is_letter =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '_' | '-' | '+');
    name.len() <= MAX_NAME
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.ends_with('/')
        && !name.contains("//")
        && name.chars().all(is_letter)
}

fn has(place: &Path, name: &str) -> bool {
    let path = place.join(name);
    let mut magic = [0; MAGIC.len()];
    path.is_file()
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok())
        && magic == *MAGIC
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

    use std::fs;

    use super::*;

    #[test]
    fn a_name_has_the_form_of_one() {
        for name in [
            "UTC",
            "Asia/Kolkata",
            "America/Argentina/Buenos_Aires",
            "Etc/GMT+5",
        ] {
            assert!(is_name(name), "{name}");
        }
        let long = "a".repeat(MAX_NAME + 1);
        for name in [
            "",
            "../etc",
            "/UTC",
            "Asia/",
            "Asia//Kolkata",
            "a b",
            "5",
            ":UTC",
            "a.b",
            &long,
        ] {
            assert!(!is_name(name), "{name:?}");
        }
    }

    #[test]
    fn a_zone_is_one_that_the_first_place_with_zones_has() {
        let [none, some] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let at = |name: &str| some.path().join(name);
        fs::create_dir(at("Asia")).unwrap();
        for zone in ["UTC", "Asia/Kolkata"] {
            fs::write(at(zone), b"TZif2 and more").unwrap();
        }
        fs::write(at("leapseconds"), "# a list").unwrap();
        fs::write(at("empty"), "").unwrap();
        let places = [none.path(), some.path()];
        for zone in ["UTC", "Asia/Kolkata"] {
            assert!(is_zone_of(zone, &places), "{zone}");
        }
        for name in ["Asia", "leapseconds", "empty", "Asia/Atlantis", "../UTC"] {
            assert!(!is_zone_of(name, &places), "{name}");
        }
        // Without zones the form has to do.
        assert!(is_zone_of("Asia/Atlantis", &[none.path()]));
        assert!(!is_zone_of("../UTC", &[none.path()]));
    }
}
