//! Attacks on whatever there is only so much of.

use super::attack::{Attack, End, repel};

const ATTACKS: &[Attack] = &[
    (
        "handles",
        "files = []\ntry:\n    while len(files) < 10**6: files.append(open(f'/tmp/{len(files)}', 'w'))\nexcept (OSError, MemoryError) as error:\n    n = len(files)\n    del files\n    print('refused', n > 100)",
        End::Prints("refused True\n"),
    ),
    (
        "files of no size",
        "import os\ntry:\n    for n in range(10**8): os.close(os.open(f'/tmp/{n:x}', os.O_CREAT | os.O_WRONLY))\nexcept (OSError, MemoryError) as error:\n    print('refused', n > 1000)",
        End::Prints("refused True\n"),
    ),
    (
        "directories in directories",
        "import os\ntry:\n    for n in range(10**6):\n        os.mkdir('d')\n        os.chdir('d')\nexcept (OSError, MemoryError): print('refused')",
        End::Prints("refused\n"),
    ),
    (
        "a name of a megabyte",
        "try: open('/tmp/' + 'n' * 10**6, 'w')\nexcept OSError as error: print('refused')",
        End::Prints("refused\n"),
    ),
    (
        "links in a circle",
        "import os\nos.symlink('b', 'a')\nos.symlink('a', 'b')\nopen('a')",
        End::Raises("OSError: [Errno 32] Symbolic link loop: 'a'"),
    ),
    (
        "threads without end",
        "import threading\ndef work(): threading.Thread(target=work).start()\nwork()",
        End::TimesOut(""),
    ),
    (
        "pending jobs",
        "import threading\ntry:\n    while True: threading.Thread(target=int).start()\nexcept MemoryError: pass",
        End::Raises("RuntimeError: can't start new thread"),
    ),
    (
        "a zip bomb",
        "import io, zipfile\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as z: z.writestr('x', bytes(50_000_000))\nparts = []\nwhile True: parts.append(zipfile.ZipFile(b).read('x'))",
        End::Raises("MemoryError: Unable to allocate output buffer."),
    ),
    (
        "a gzip bomb",
        "import gzip\nbomb = gzip.compress(bytes(40_000_000), 9)\nprint(len(bomb) < 100_000)\ngzip.decompress(bomb * 10)",
        End::Raises("MemoryError: Unable to allocate output buffer."),
    ),
    (
        "an xz bomb",
        "import lzma\nbomb = lzma.compress(bytes(40_000_000), preset=1)\nlzma.decompress(bomb * 10)",
        End::Raises("MemoryError: Unable to allocate output buffer."),
    ),
    (
        "entities in entities",
        "import xml.etree.ElementTree as e\nx = '<!DOCTYPE a [<!ENTITY l \"l\">' + ''.join(f'<!ENTITY l{i} \"{(\"&l\" + (str(i - 1) if i else \"\") + \";\") * 10}\">' for i in range(12)) + ']><a>&l11;</a>'\ntry: e.fromstring(x)\nexcept e.ParseError as error: print(str(error).split(':')[0])",
        End::Prints("limit on input amplification factor (from DTD and entities) breached\n"),
    ),
    (
        "a format of a gigabyte",
        "'%1000000000d' % 1",
        End::Raises("MemoryError"),
    ),
    (
        "a join of many",
        "'x'.join(['y' * 1000] * 10**6)",
        End::Raises("MemoryError"),
    ),
    (
        "an integer as text",
        "str(10**5000)",
        End::Raises(
            "ValueError: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit",
        ),
    ),
    (
        "a text as integer",
        "int('9' * 5000)",
        End::Raises(
            "ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit",
        ),
    ),
    (
        "a literal of many digits",
        "eval('9' * 5000)",
        End::Raises(
            "SyntaxError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
        ),
    ),
    (
        "many constants",
        "eval('[' + '1.5,' * 3_000_000 + ']')",
        End::Raises("MemoryError"),
    ),
    (
        "many arguments",
        "def f(*a): return len(a)\nprint(f(*range(1_000_000)))",
        End::Prints("1000000\n"),
    ),
    (
        "a dictionary of colliding keys",
        "class K:\n    def __init__(self, n): self.n = n\n    def __hash__(self): return 1\n    def __eq__(self, other): return self.n == other.n\nd = {K(n): n for n in range(100_000)}",
        End::TimesOut(""),
    ),
    (
        "a class of many bases",
        "type('A', tuple(type(f'B{n}', (), {}) for n in range(1_000)), {})\nprint('made')",
        End::Prints("made\n"),
    ),
    (
        "a flood of unraisable errors",
        "class A:\n    def __del__(self): raise ValueError\nimport sys\nsys.unraisablehook = lambda _: None\nfor _ in range(100_000): A()\nprint('end')",
        End::Prints("end\n"),
    ),
    (
        "a database without end",
        "import sqlite3\ndb = sqlite3.connect('/tmp/x.db')\ndb.execute('create table t (b blob)')\ntry:\n    while True: db.execute('insert into t values (zeroblob(1000000))')\nexcept (sqlite3.Error, MemoryError) as error: print('refused')",
        End::Prints("refused\n"),
    ),
    (
        "a database in memory without end",
        "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.execute('create table t (b blob)')\ntry:\n    while True: db.execute('insert into t values (randomblob(1000000))')\nexcept (sqlite3.Error, MemoryError) as error: print('refused')",
        End::Prints("refused\n"),
    ),
    (
        "sparse seeks",
        "f = open('/tmp/s', 'wb')\ntry:\n    for n in range(20, 63):\n        f.seek(1 << n)\n        f.write(b'x')\n        f.flush()\nexcept (OSError, MemoryError): print('refused')\nimport os\nprint(os.stat('/tmp/s').st_size < 1 << 40)",
        End::Prints("refused\nTrue\n"),
    ),
];

#[tokio::test]
async fn what_is_used_up_is_refused() {
    repel(ATTACKS).await;
}
