//! Attacks on the files of the sandbox and by way of their names.

use super::attack::{Attack, End, repel};

const ATTACKS: &[Attack] = &[
    (
        "a name with NUL",
        "open('/etc/passwd\\0.txt')",
        End::Raises("ValueError: embedded null byte"),
    ),
    (
        "a name of dots",
        "import os\nprint(os.path.exists('/' + '../' * 100 + 'etc/passwd'), os.path.exists('/' + '../' * 100 + 'tmp'))",
        End::Prints("False True\n"),
    ),
    (
        "a link that leads out",
        "import os\nos.symlink('/etc/passwd', 'p')\nopen('p')",
        End::Raises("FileNotFoundError: [Errno 44] No such file or directory: 'p'"),
    ),
    (
        "a link with a trailing slash",
        "import os\nos.symlink('/', 'root')\nprint(sorted(os.listdir('root/')))",
        End::Prints("['dev', 'lib', 'scratch', 'tmp']\n"),
    ),
    (
        "a device",
        "open('/dev/mem', 'rb')",
        End::Raises("FileNotFoundError: [Errno 44] No such file or directory: '/dev/mem'"),
    ),
    (
        "its own process",
        "open('/proc/self/mem', 'rb')",
        End::Raises("FileNotFoundError: [Errno 44] No such file or directory: '/proc/self/mem'"),
    ),
    (
        "the standard library",
        "open('/lib/python313.zip', 'ab')",
        End::Raises("OSError: [Errno 69] Read-only file system: '/lib/python313.zip'"),
    ),
    (
        "a directory over the standard library",
        "import os\nos.rename('/tmp', '/lib')",
        End::Raises("OSError: [Errno 69] Read-only file system: '/tmp' -> '/lib'"),
    ),
    (
        "a file that shadows a module",
        "open('json.py', 'w').write('raise SystemError')\nimport json\nprint(json.dumps(1))",
        End::Prints("1\n"),
    ),
    (
        "a file that shadows a module that is not loaded",
        "open('mailcap.py', 'w').write('x = 7')\nimport mailcap\nprint(mailcap.x)",
        End::Prints("7\n"),
    ),
    (
        "a name that is no text",
        "import os\nopen(b'\\xff\\xfe', 'w').close()\nprint(len(os.listdir('.')))",
        End::Raises("OSError: [Errno 25] Illegal byte sequence: b'\\xff\\xfe'"),
    ),
    (
        "a rename onto itself",
        "import os\nopen('a', 'w').write('x')\nos.rename('a', 'a')\nprint(open('a').read())",
        End::Prints("x\n"),
    ),
    (
        "a directory into itself",
        "import os\nos.makedirs('d/e')\ntry: os.rename('d', 'd/e/f')\nexcept OSError as error: print(os.strerror(error.errno))",
        End::Prints("Invalid argument\n"),
    ),
    (
        "a descriptor out of range",
        "import os\nfor fd in (-1, 3, 10**6, 2**31 - 1):\n    try: os.write(fd, b'x')\n    except OSError as error: print(error.errno)",
        End::Prints("8\n8\n8\n8\n"),
    ),
    (
        "a descriptor closed twice",
        "import os\nfd = os.open('/tmp/f', os.O_CREAT | os.O_RDWR)\nos.close(fd)\ntry: os.close(fd)\nexcept OSError as error: print(error.errno)",
        End::Prints("8\n"),
    ),
    (
        "an archive with a way out",
        "import io, tarfile\nb = io.BytesIO()\nwith tarfile.open(fileobj=b, mode='w') as t: t.addfile(tarfile.TarInfo('../../etc/x'))\nb.seek(0)\ntry: tarfile.open(fileobj=b).extractall(filter='data')\nexcept tarfile.OutsideDestinationError: print('refused')",
        End::Prints("refused\n"),
    ),
];

#[tokio::test]
async fn no_name_leads_anywhere() {
    repel(ATTACKS).await;
}
