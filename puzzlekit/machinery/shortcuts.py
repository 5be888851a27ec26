"""Shortcuts through numba, taken while kernels are compiled: what it would work out again and again, or for nobody.

Each gives what numba's own function gives there; other code of the process never meets them.

Not here: when they are taken (compiler.py).
"""

import contextlib
import operator
from collections.abc import Callable
from typing import Any

from numba.core import event, ir, postproc, targetconfig, types
from numba.core.cpu import CPUContext
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import Context
from numba.core.typing.templates import builtin_registry

NUMBERS = types.Integer, types.Boolean, types.Float
INDEXING = operator.getitem, operator.setitem
_call_type, _postprocess = BaseFunction.get_call_type, postproc.PostProcessor.run
_remembered: dict = {}
_defaults: dict = {}


def _call_type_of(kind, context, args, kws):
    """What operators come to with plain numbers, or with an array and numbers."""
    plain = (*NUMBERS, types.Array) if kind.typing_key in INDEXING else NUMBERS
    if kws or not all(isinstance(arg, plain) for arg in args):
        return _call_type(kind, context, args, kws)
    key = (kind, tuple(args))
    if key not in _remembered:
        _remembered[key] = _call_type(kind, context, args, kws)
    return _remembered[key]


def _variables(_, part):
    """All variables in a part of numba's intermediate code."""
    kind = part.__class__
    if kind is ir.Var:
        return [part]
    if kind is dict:
        part = part.values()
    elif isinstance(part, ir.Inst):
        return part.list_vars()
    elif kind is not list and kind is not tuple:
        return ()
    return [variable for each in part for variable in _variables(None, each)]


def _lives(self, emit_dels=False, extend_lifetimes=False):
    """Which variables are alive where is only needed in the end."""
    if emit_dels or self.func_ir.is_generator:
        return _postprocess(self, emit_dels, extend_lifetimes)
    self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)
    return None


def _values(self):
    """All settings of a compilation."""
    kind = self.__class__
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in self.options.items()}
    return _defaults[kind] | self._values


def _reload(self):
    """The modules of numba have been imported by then; what is compiled on the way can be new in any registry."""
    for registry in self._registries:
        self.install_registry(registry)


TAKEN: tuple[tuple[Any, str, Callable], ...] = (
    (BaseFunction, "get_call_type", _call_type_of),
    (ir.Inst, "_rec_list_vars", _variables),
    (postproc.PostProcessor, "run", _lives),
    (targetconfig.TargetConfig, "values", _values),
    (CPUContext, "load_additional_registries", _reload),
    (Context, "_load_builtins", lambda self: self.install_registry(builtin_registry)),
    (event, "install_timer", lambda *_: contextlib.nullcontext()),  # nobody reads how long a lock was held
)
