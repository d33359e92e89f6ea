"""The module `hermes_tools`: made from the host's description of the enabled tools when a script first imports it."""

import importlib.machinery
import json
import keyword
import linecache
import shlex
import sys
import time

import _hermes

NAME = "hermes_tools"
FILENAME = "<hermes_tools>"

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}
_encoder = json.JSONEncoder()
_decoder = json.JSONDecoder()
# Made once: `JSONEncoder.encode` makes its C encoder anew for each call, which costs more than a small call does.
_pieces = json.encoder.c_make_encoder(
    None, _encoder.default, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True
)
_scan = json.scanner.c_make_scanner(_decoder)


def _encode(arguments):
    try:
        return "".join(_pieces(arguments, 0))
    except RecursionError:
        # Either too deep or circular, and the slow encoder tells which.
        return _encoder.encode(arguments)


def _decode(text):
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        end = -1
    # White space around the value, and what is no JSON, are for the decoder that knows them.
    return value if end == len(text) else _decoder.decode(text)


def call(name, arguments):
    """Calls a host tool and returns its answer, parsed; one that is itself a text is parsed once more, and stays a text if it is no JSON."""
    answer = _hermes.call(name, _encode(arguments))
    for _ in range(2):
        try:
            answer = _decode(answer)
        except ValueError:
            return answer
        if type(answer) is not str:
            return answer
    return answer


def json_parse(text):
    """Parses JSON; accepts raw control characters in strings and one leading byte order mark."""
    if isinstance(text, (bytes, bytearray)):
        text = text.decode()
    return json.loads(text.removeprefix("\ufeff"), strict=False)


def shell_quote(s):
    """Quotes a text so that a POSIX shell reads it as one word."""
    return shlex.quote(s)


def retry(fn, max_attempts=3, delay=2):
    """Calls `fn` until it raises nothing, sleeping `delay * 2**attempt` seconds in between; raises the last exception."""
    for attempt in range(max_attempts):
        try:
            return fn()
        except Exception:
            if attempt + 1 >= max_attempts:
                raise
            time.sleep(delay * 2**attempt)


HELPERS = (json_parse, retry, shell_quote)


def _usable(name):
    return name.isidentifier() and not keyword.iskeyword(name)


def _annotation(schema):
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    return _TYPES.get(kind)


def _parameter(name, schema, required):
    annotation = _annotation(schema)
    text = f"{name}: {annotation}" if annotation else name
    if required:
        return text
    return f"{text}{' = ' if annotation else '='}{schema.get('default')!r}"


def _function(tool):
    """Returns the source of one tool's function."""
    name, schema = tool["name"], tool.get("parameters") or {}
    properties = schema.get("properties") or {}
    wanted = schema.get("required") or ()
    names = [each for each in properties if _usable(each) and each not in ("_call", "extra")]
    names.sort(key=lambda each: each not in wanted)
    parameters = [_parameter(each, properties[each], each in wanted) for each in names]
    arguments = [f"{each!r}: {each}" for each in names]
    if len(names) < len(properties):
        # A property whose name Python cannot spell as a parameter is given with `**{"its-name": value}`.
        parameters.append("**extra")
        arguments.append("**extra")
    doc = [tool.get("description") or ""]
    for each, details in properties.items():
        if isinstance(details, dict) and details.get("description"):
            doc.append(f"    {each}: {details['description']}")
    return f"def {name}({', '.join(parameters)}):\n    {chr(10).join(doc)!r}\n    return _call({name!r}, {{{', '.join(arguments)}}})\n"


def source(description):
    """Returns the source of the module for a description, a JSON list of tools."""
    return "\n".join(_function(tool) for tool in _decode(description))


def fill(module, description):
    """Gives the module its functions."""
    text = source(description)
    namespace = module.__dict__
    namespace["_call"] = call
    exec(compile(text, FILENAME, "exec", dont_inherit=True), namespace)
    for helper in HELPERS:
        namespace[helper.__name__] = helper
    module.__file__ = FILENAME
    module.__all__ = sorted(name for name in namespace if not name.startswith("_"))


class _Loader:
    """Makes the module when it is first imported."""

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        fill(module, _hermes.tools())


class _Finder:
    """Finds `hermes_tools`, before any file of that name."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == NAME:
            return importlib.machinery.ModuleSpec(NAME, _Loader, origin=FILENAME)
        return None


def install():
    """Makes the module importable."""
    sys.meta_path.insert(0, _Finder)
