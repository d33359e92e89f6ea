//! Compression, archives and the database: what goes in comes out.

use hermes_tests::{Case, every_row};

/// Each program prints `True` for every round trip that it makes.
const ROUND_TRIPS: &[(&str, &str, usize)] = &[
    (
        "zlib",
        "import zlib\nprint(zlib.decompress(zlib.compress(data, 9)) == data)\nc = zlib.compressobj()\nprint(zlib.decompress(c.compress(data) + c.flush()) == data, zlib.crc32(b'123456789') == 0xcbf43926, zlib.adler32(b'123456789') == 0x091e01de)",
        4,
    ),
    (
        "gzip",
        "import gzip\nprint(gzip.decompress(gzip.compress(data)) == data)\nwith gzip.open('a.gz', 'wb') as f: f.write(data)\nwith gzip.open('a.gz') as f: print(f.read() == data)\nwith gzip.open('t.gz', 'wt', encoding='utf-8') as f: f.write('é\\n')\nprint(list(gzip.open('t.gz', 'rt', encoding='utf-8')) == ['é\\n'])",
        3,
    ),
    (
        "bz2",
        "import bz2\nprint(bz2.decompress(bz2.compress(data)) == data)\nwith bz2.open('a.bz2', 'wb') as f: f.write(data)\nwith bz2.open('a.bz2') as f: print(f.read() == data)",
        2,
    ),
    (
        "lzma",
        "import lzma\nprint(lzma.decompress(lzma.compress(data)) == data)\nprint(lzma.decompress(lzma.compress(data, format=lzma.FORMAT_ALONE)) == data)\nwith lzma.open('a.xz', 'wb', preset=6) as f: f.write(data)\nwith lzma.open('a.xz') as f: print(f.read() == data)",
        3,
    ),
    (
        "zipfile",
        "import io, zipfile\nbuffer = io.BytesIO()\nfor method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):\n    with zipfile.ZipFile(buffer, 'w', method) as z: z.writestr('a/b.bin', data)\n    with zipfile.ZipFile(buffer) as z: print(z.read('a/b.bin') == data, z.testzip() is None)\nwith zipfile.ZipFile('on-disk.zip', 'w') as z: z.writestr('x', 'y')\nwith zipfile.ZipFile('on-disk.zip') as z:\n    z.extractall('out')\nprint(open('out/x').read() == 'y', zipfile.is_zipfile('on-disk.zip'))",
        10,
    ),
    (
        "tarfile",
        "import io, tarfile\nfor mode in ('', 'gz', 'bz2', 'xz'):\n    buffer = io.BytesIO()\n    with tarfile.open(fileobj=buffer, mode='w:' + mode) as t:\n        info = tarfile.TarInfo('d/f'); info.size = len(data)\n        t.addfile(info, io.BytesIO(data))\n    buffer.seek(0)\n    with tarfile.open(fileobj=buffer) as t: print(t.extractfile('d/f').read() == data, t.getnames() == ['d/f'])\nopen('plain', 'wb').write(data)\nwith tarfile.open('a.tar.gz', 'w:gz') as t: t.add('plain')\nwith tarfile.open('a.tar.gz') as t: t.extractall('out', filter='data')\nprint(open('out/plain', 'rb').read() == data)",
        9,
    ),
    (
        "sqlite3",
        "import sqlite3\nfor place in (':memory:', 'data.db'):\n    with sqlite3.connect(place) as db:\n        db.execute('create table t (id integer primary key, name text, data blob)')\n        db.executemany('insert into t (name, data) values (?, ?)', [(f'n{i}', data[:i]) for i in range(100)])\n    print(db.execute('select count(*), sum(length(data)) from t').fetchone() == (100, 4950))\n    db.close()\ndb = sqlite3.connect('data.db')\nprint(db.execute('select data from t where name = ?', ('n99',)).fetchone()[0] == data[:99])\nprint(db.execute(\"select json_extract('{\\\"a\\\": [1, 2]}', '$.a[1]')\").fetchone() == (2,))\ntry: db.execute('select * from missing')\nexcept sqlite3.OperationalError as error: print(str(error) == 'no such table: missing')",
        5,
    ),
    (
        "shutil",
        "import pathlib, shutil\npathlib.Path('tree/sub').mkdir(parents=True)\npathlib.Path('tree/sub/f').write_bytes(data)\nfor kind in ('zip', 'tar', 'gztar', 'bztar', 'xztar'):\n    name = shutil.make_archive('made', kind, 'tree')\n    shutil.unpack_archive(name, 'unpacked-' + kind)\n    print(pathlib.Path('unpacked-' + kind, 'sub/f').read_bytes() == data)",
        5,
    ),
    (
        "codecs and pickles",
        "import base64, codecs, pickle, json, csv, io, plistlib, configparser\nprint(base64.b85decode(base64.b85encode(data)) == data, codecs.decode(codecs.encode(data, 'hex'), 'hex') == data)\nprint(all(pickle.loads(pickle.dumps(data, protocol)) == data for protocol in range(6)))\nprint(plistlib.loads(plistlib.dumps({'a': data})) == {'a': data})\nout = io.StringIO(); csv.writer(out).writerows([['a', 'b,c'], ['d\\ne', '\"']]); out.seek(0)\nprint(list(csv.reader(out)) == [['a', 'b,c'], ['d\\ne', '\"']])",
        5,
    ),
];

#[tokio::test]
async fn what_goes_in_comes_out() {
    every_row(ROUND_TRIPS, async |(name, program, checks)| {
        let code = format!(
            "data = bytes(i * i % 251 for i in range(100_000)) + b'again ' * 10_000\n{program}"
        );
        let finished = Case::new(code).run().await;
        finished.succeeds();
        let words: Vec<_> = finished.outcome().output.split_whitespace().collect();
        assert_eq!(words, vec!["True"; *checks], "{name}");
    })
    .await;
}

#[tokio::test]
async fn damaged_archives_raise_the_error_of_their_module() {
    every_row([
        ("import zlib; zlib.decompress(b'no')", "zlib.error: Error -3 while decompressing data: incorrect header check"),
        ("import gzip; gzip.decompress(b'no')", "gzip.BadGzipFile: Not a gzipped file (b'no')"),
        ("import bz2; bz2.decompress(b'no, not at all')", "OSError: Invalid data stream"),
        ("import lzma; lzma.decompress(b'no, not at all')", "_lzma.LZMAError: Input format not supported by decoder"),
        ("import io, zipfile; zipfile.ZipFile(io.BytesIO(b'no'))", "zipfile.BadZipFile: File is not a zip file"),
        ("import io, tarfile; tarfile.open(fileobj=io.BytesIO(b'no'))", "tarfile.ReadError: file could not be opened successfully:"),
        ("import sqlite3; open('x.db', 'wb').write(b'no' * 1000); sqlite3.connect('x.db').execute('select 1 from t')", "sqlite3.DatabaseError: file is not a database"),
    ], async |(code, last_line)| {
        let finished = Case::new(code).run().await;
        if last_line.ends_with(':') {
            // This message goes on with one line per method that was tried.
            let error = finished.outcome().error.clone().unwrap_or_default();
            assert!(error.lines().any(|line| line == last_line), "{finished}");
        } else {
            finished.raises(last_line);
        }
    })
    .await;
}
