"""The module `hermes_tools`: made from the host's description of the enabled tools when a script first imports it."""

import importlib.machinery
import json
import keyword
import os
import shlex
import sys
import time
import unicodedata

import _hermes

NAME = "hermes_tools"
FILENAME = "<hermes_tools>"

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


def _path(value):
    """Returns a path as its text; what is none is no value for JSON."""
    if isinstance(value, os.PathLike) and isinstance(path := os.fspath(value), str):
        return path
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_encoder = json.JSONEncoder(default=_path)
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
    """Calls a host tool and returns its answer, parsed; one that is itself a text is parsed once more, and stays a text if it is no JSON.

    Arguments that JSON cannot hold are answered here, as a tool answers bad ones.
    """
    try:
        text = _encode(arguments)
    except (TypeError, ValueError, RecursionError) as error:
        return {"error": f"{name}: the arguments cannot be sent: {error}"}
    answer = _hermes.call(name, text)
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


def _integer(digits):
    """Reads an integer of a description; one of more digits than Python converts is none."""
    try:
        return int(digits)
    except ValueError:
        return None


_descriptions = json.JSONDecoder(parse_int=_integer)


def _usable(name):
    """Whether Python can spell a name, and keeps it as it is: an identifier is normalised when it is read."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name


def _unlike(stem, names):
    while stem in names:
        stem += "_"
    return stem


def _mapping(value):
    # A schema may be `true` or `false` as well, and whoever wrote it may have made mistakes.
    return value if isinstance(value, dict) else {}


def _annotation(schema):
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    return _TYPES.get(kind) if isinstance(kind, str) else None


def _default(schema):
    """Returns the default value of a parameter; `None` for one that could not be sent."""
    value = schema.get("default")
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return value


def _parameter(name, schema, required):
    annotation = _annotation(schema)
    text = f"{name}: {annotation}" if annotation else name
    if required:
        return text
    return f"{text}{' = ' if annotation else '='}None"


def _documentation(tool, properties):
    lines = [str(tool.get("description") or "")]
    for name, schema in properties.items():
        description = _mapping(schema).get("description")
        if description:
            lines.append(f"    {name}: {description}")
    return "\n".join(lines)


def _function(tool):
    """Returns the function of one tool, with a parameter for each property that Python can spell."""
    name, schema = tool["name"], _mapping(tool.get("parameters"))
    properties = _mapping(schema.get("properties"))
    wanted = schema.get("required")
    wanted = [each for each in properties if each in wanted] if isinstance(wanted, list) else []
    names = [each for each in properties if _usable(each)]
    names.sort(key=lambda each: each not in wanted)
    parameters = [_parameter(each, _mapping(properties[each]), each in wanted) for each in names]
    arguments = [f"{each!r}: {each}" for each in names]
    own, extra = _unlike("_call", names), _unlike("extra", names)
    if len(names) < len(properties):
        # A property whose name Python cannot spell as a parameter is given with `**{"its-name": value}`.
        parameters.append(f"**{extra}")
        arguments.append(f"**{extra}")
    text = f"def {name}({', '.join(parameters)}):\n    return {own}({name!r}, {{{', '.join(arguments)}}})\n"
    # Of its own for each tool: no name of one can be in the way of another.
    namespace = {"__name__": NAME, own: call}
    exec(compile(text, FILENAME, "exec", dont_inherit=True), namespace)
    function = namespace[name]
    function.__defaults__ = tuple(_default(_mapping(properties[each])) for each in names if each not in wanted) or None
    function.__doc__ = _documentation(tool, properties)
    return function


def _plain_function(tool):
    """Returns the function of a tool whose description cannot be made into parameters."""
    name = tool["name"]

    def function(**arguments):
        return call(name, arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = str(tool.get("description") or "")
    return function


def functions(description):
    """Returns the functions, by name, for a description, a JSON list of tools."""
    made = {}
    for tool in _descriptions.decode(description):
        name = tool["name"]
        try:
            made[name] = _function(tool) if _usable(name) else _plain_function(tool)
        except Exception:
            # One odd description takes nothing from the other tools.
            made[name] = _plain_function(tool)
    return made


def fill(module, description):
    """Gives the module its functions."""
    namespace = module.__dict__
    namespace.update(functions(description))
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
