"""Key derivation for `hashlib`, which in CPython comes from OpenSSL."""

import hashlib
import hmac

import _hermes

#: What OpenSSL allows `scrypt` when nothing is asked for, in bytes.
SCRYPT_MEMORY = 32 << 20
_MAX_LENGTH = 2**31 - 1


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Derives a key from a password by PBKDF2 with HMAC."""
    if not isinstance(hash_name, str):
        raise TypeError(f"pbkdf2_hmac() argument 'hash_name' must be str, not {type(hash_name).__name__}")
    size = hashlib.new(hash_name).digest_size
    password, salt = bytes(memoryview(password)), bytes(memoryview(salt))
    if not 1 <= iterations <= _MAX_LENGTH:
        raise ValueError("iteration value must be greater than 0.")
    length = size if dklen is None else dklen
    if not 1 <= length <= _MAX_LENGTH:
        raise ValueError("key length must be greater than 0.")
    key = _hermes.pbkdf2(hash_name.lower(), password, salt, iterations, length)
    return _pbkdf2(hash_name, password, salt, iterations, length, size) if key is None else key


def _pbkdf2(hash_name, password, salt, iterations, length, size):
    keyed = hmac.new(password, None, hash_name)
    blocks = []
    for number in range(1, -(-length // size) + 1):
        state = keyed.copy()
        state.update(salt + number.to_bytes(4, "big"))
        last = state.digest()
        total = int.from_bytes(last, "big")
        for _ in range(iterations - 1):
            state = keyed.copy()
            state.update(last)
            last = state.digest()
            total ^= int.from_bytes(last, "big")
        blocks.append(total.to_bytes(size, "big"))
    return b"".join(blocks)[:length]


def scrypt(password, *, salt=None, n=None, r=None, p=None, maxmem=0, dklen=64):
    """Derives a key from a password by scrypt."""
    if salt is None:
        raise TypeError("salt is required")
    for name, value in (("n", n), ("r", r), ("p", p)):
        if not isinstance(value, int):
            raise TypeError(f"{name} is required and must be an unsigned int")
        if not 1 <= value <= _MAX_LENGTH:
            raise ValueError(f"{name} is out of range")
    if not 1 <= dklen <= _MAX_LENGTH:
        raise ValueError("dklen must be greater than 0 and smaller than 2147483647")
    if 128 * r * (n + p + 2) > (maxmem or SCRYPT_MEMORY):
        raise ValueError("memory limit exceeded")
    return _hermes.scrypt(bytes(memoryview(password)), bytes(memoryview(salt)), n, r, p, dklen)


def install():
    """Adds the functions to `hashlib`."""
    hashlib.pbkdf2_hmac = pbkdf2_hmac
    hashlib.scrypt = scrypt
