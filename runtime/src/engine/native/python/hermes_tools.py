"""The tools of the host, as functions. They are made from the host's description by the code that makes them in the sandbox, too."""


def _make():
    import sys

    import _hermes
    import _hermes_functions as functions

    if not hasattr(str, "removeprefix"):
        # Python 3.8.
        parse = functions.json_parse
        functions.json_parse = lambda text: parse(_Text(text if isinstance(text, str) else text.decode()))
        functions.json_parse.__name__ = functions.json_parse.__qualname__ = "json_parse"
        functions.json_parse.__doc__ = parse.__doc__
        functions.HELPERS = functions.json_parse, functions.retry, functions.shell_quote
    path = __file__
    functions.fill(sys.modules[__name__], _hermes.tools())
    globals()["__file__"] = path


class _Text(str):
    """A text with the one method that `json_parse` needs and Python 3.8 does not have."""

    def removeprefix(self, prefix):
        return self[len(prefix) :] if self.startswith(prefix) else str(self)


_make()
del _make
