//! Hashes and key derivation against published vectors.

use hermes_tests::{Case, every_row};

/// Vectors of RFC 6070 (SHA-1) and RFC 7914 section 11 (SHA-256): hash, password, salt, iterations, length, key.
const PBKDF2: &[(&str, &str, &str, u32, usize, &str)] = &[
    (
        "sha1",
        "password",
        "salt",
        1,
        20,
        "0c60c80f961f0e71f3a9b524af6012062fe037a6",
    ),
    (
        "sha1",
        "password",
        "salt",
        2,
        20,
        "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957",
    ),
    (
        "sha1",
        "password",
        "salt",
        4096,
        20,
        "4b007901b765489abead49d926f721d065a429c1",
    ),
    (
        "sha1",
        "passwordPASSWORDpassword",
        "saltSALTsaltSALTsaltSALTsaltSALTsalt",
        4096,
        25,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038",
    ),
    (
        "sha1",
        "pass\\0word",
        "sa\\0lt",
        4096,
        16,
        "56fa6aa75548099dcc37d7f03425e0c3",
    ),
    (
        "sha256",
        "passwd",
        "salt",
        1,
        64,
        "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
    ),
    (
        "sha256",
        "Password",
        "NaCl",
        80000,
        64,
        "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d",
    ),
];

/// Vectors of RFC 7914 section 12: password, salt, N, r, p, key.
const SCRYPT: &[(&str, &str, u32, u32, u32, &str)] = &[
    (
        "",
        "",
        16,
        1,
        1,
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906",
    ),
    (
        "password",
        "NaCl",
        1024,
        8,
        16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
    ),
    (
        "pleaseletmein",
        "SodiumChloride",
        16384,
        8,
        1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
    ),
];

#[tokio::test]
async fn pbkdf2_gives_the_published_keys() {
    every_row(PBKDF2, async |(hash, password, salt, iterations, length, key)| {
        let code = format!("import hashlib\nprint(hashlib.pbkdf2_hmac('{hash}', b'{password}', b'{salt}', {iterations}, {length}).hex())");
        Case::new(code).run().await.succeeds().output(&format!("{key}\n"));
    })
    .await;
}

#[tokio::test]
async fn scrypt_gives_the_published_keys() {
    every_row(SCRYPT, async |(password, salt, n, r, p, key)| {
        let code = format!("import hashlib\nprint(hashlib.scrypt(b'{password}', salt=b'{salt}', n={n}, r={r}, p={p}, dklen=64).hex())");
        Case::new(code).run().await.succeeds().output(&format!("{key}\n"));
    })
    .await;
}

#[tokio::test]
async fn pbkdf2_takes_its_hash_by_any_name_that_hashlib_knows() {
    every_row(["SHA256", "sha512", "md5", "sha3_256", "blake2b"], async |hash| {
        let code = format!(
            "import hashlib, hmac\nfirst = hmac.new(b'p', b's' + (1).to_bytes(4, 'big'), '{hash}').digest()\n\
             print(hashlib.pbkdf2_hmac('{hash}', b'p', b's', 1) == first)"
        );
        Case::new(code).run().await.succeeds().output("True\n");
    })
    .await;
}

#[tokio::test]
async fn wrong_parameters_are_named() {
    every_row(
        [
            (
                "pbkdf2_hmac('sha256', b'', b'', 0)",
                "ValueError: iteration value must be greater than 0.",
            ),
            (
                "pbkdf2_hmac('sha256', b'', b'', 1, 0)",
                "ValueError: key length must be greater than 0.",
            ),
            (
                "pbkdf2_hmac('nope', b'', b'', 1)",
                "ValueError: unsupported hash type nope",
            ),
            (
                "pbkdf2_hmac('sha256', 'text', b'', 1)",
                "TypeError: memoryview: a bytes-like object is required, not 'str'",
            ),
            (
                "scrypt(b'', salt=b'', n=1 << 20, r=8, p=1)",
                "ValueError: memory limit exceeded",
            ),
            ("scrypt(b'', n=2, r=1, p=1)", "TypeError: salt is required"),
        ],
        async |(call, last_line)| {
            Case::new(format!("import hashlib\nhashlib.{call}"))
                .run()
                .await
                .raises(last_line);
        },
    )
    .await;
}

#[tokio::test]
async fn every_guaranteed_hash_is_there() {
    Case::new(
        "import hashlib\nfor name in sorted(hashlib.algorithms_guaranteed):\n    h = hashlib.new(name, b'abc')\n    \
         print(name, h.hexdigest(4) if 'shake' in name else h.hexdigest()[:8])\nprint(hashlib.file_digest(open('/tmp/f', 'w+b'), 'sha1').hexdigest()[:8])",
    )
    .run()
    .await
    .succeeds()
    .output(
        "blake2b ba80a53f\nblake2s 508c5e8c\nmd5 90015098\nsha1 a9993e36\nsha224 23097d22\nsha256 ba7816bf\nsha384 cb00753f\nsha3_224 e642824c\n\
         sha3_256 3a985da7\nsha3_384 ec014982\nsha3_512 b751850b\nsha512 ddaf35a1\nshake_128 5881092d\nshake_256 48336660\nda39a3ee\n",
    );
}
