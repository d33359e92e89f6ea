//! Key derivation that CPython normally takes from OpenSSL: `pbkdf2_hmac` and `scrypt`.
//!
//! Digests that are not in the table are left to a Python loop over `hmac`.

use md5::Md5;
use pbkdf2::pbkdf2_hmac;
use scrypt::Params;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// Fills `key` by PBKDF2-HMAC; `false` when the digest is not one of ours.
pub(crate) fn pbkdf2(
    digest: &str,
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    key: &mut [u8],
) -> bool {
    match digest {
        "md5" => pbkdf2_hmac::<Md5>(password, salt, rounds, key),
        "sha1" => pbkdf2_hmac::<Sha1>(password, salt, rounds, key),
        "sha224" => pbkdf2_hmac::<Sha224>(password, salt, rounds, key),
        "sha256" => pbkdf2_hmac::<Sha256>(password, salt, rounds, key),
        "sha384" => pbkdf2_hmac::<Sha384>(password, salt, rounds, key),
        "sha512" => pbkdf2_hmac::<Sha512>(password, salt, rounds, key),
        _ => return false,
    }
    true
}

/// Fills `key` by scrypt; the error says which parameter is out of range.
pub(crate) fn scrypt(
    password: &[u8],
    salt: &[u8],
    cost: u64,
    block: u32,
    parallel: u32,
    key: &mut [u8],
) -> Result<(), &'static str> {
    if cost < 2 || !cost.is_power_of_two() {
        return Err("n must be a power of 2 greater than 1");
    }
    let log_cost = u8::try_from(cost.trailing_zeros()).map_err(|_| "n is too large")?;
    let parameters =
        Params::new(log_cost, block, parallel).map_err(|_| "invalid combination of n, r and p")?;
    scrypt::scrypt(password, salt, &parameters, key).map_err(|_| "invalid key length")
}
