"""NamedTuples of the package in kernels: passed by the address where they stand.

numba would spell out every part of every array among the arguments of every call, some three hundred for a board and a
trail, and copy them wherever the tuple is named. Here a value is the address of a struct that nobody writes to once it
is made. It stands in the frame of the kernel that made it or was given it by a callee, where every call has one place;
what a loop keeps for its next round, when the call comes again, is copied to a place of its own (`Lower`).

Not here: what else is compiled otherwise than plain numba would (compiler.py).
"""

import functools
import hashlib
from typing import Any

from llvmlite import ir
from llvmlite.ir import global_context as spelled_out
from numba.core import boxing, cgutils, errors, lowering, types
from numba.core.callconv import CPUCallConv
from numba.core.cpu import CPUContext
from numba.core.datamodel import default_manager, models
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic

from .sources import NAME

Value = Any  # of llvmlite's


class Record(models.TupleModel):
    """Value and argument: an address. Data, which is what is returned and what stands there: a struct with a name."""

    def get_data_type(self) -> ir.Type:
        if self._data_type is None:
            kind = self._fe_type.instance_class
            parts = [model.get_data_type() for model in self._models]
            digest = hashlib.sha256(str(parts).encode()).hexdigest()[:12]  # of one class there can be several types
            known = spelled_out.get_identified_type(f"{kind.__module__}.{kind.__name__}.{digest}")
            if known.is_opaque:
                known.set_body(*parts)
            self._data_type = known
        return self._data_type

    def get_value_type(self) -> ir.Type:
        return self.get_data_type().as_pointer()

    get_argument_type = get_value_type

    def as_argument(self, builder: ir.IRBuilder, value: Value) -> Value:
        return value

    from_argument = as_argument

    def as_data(self, builder: ir.IRBuilder, value: Value) -> Value:
        return builder.load(value)

    as_return = as_data

    def from_data(self, builder: ir.IRBuilder, value: Value) -> Value:
        place = self._place(builder)
        builder.store(value, place)
        return place

    from_return = from_data

    def made(self, builder: ir.IRBuilder, values: list[Value]) -> Value:
        """A new one of these values."""
        place = self._place(builder)
        for i, (model, value) in enumerate(zip(self._models, values, strict=True)):
            builder.store(model.as_data(builder, value), cgutils.gep_inbounds(builder, place, 0, i))
        return place

    def _place(self, builder):
        with builder.goto_entry_block():
            return builder.alloca(self.get_data_type())

    def get(self, builder: ir.IRBuilder, val: Value, pos: int | str) -> Value:
        pos = self.get_field_position(pos) if isinstance(pos, str) else pos
        place, model = cgutils.gep_inbounds(builder, val, 0, pos), self._models[pos]
        if isinstance(model, Record):
            return place
        part = builder.load(place)
        return part if model.get_value_type() == part.type else model.from_data(builder, part)

    def traverse(self, builder: ir.IRBuilder) -> list:
        """numba also counts down what a variable held before it held anything: no address, which is read as zeros."""

        def part(i, value):
            name = f"no.{self.get_data_type().name}"
            nothing = builder.module.globals.get(name)
            if nothing is None:
                nothing = cgutils.add_global_variable(builder.module, self.get_data_type(), name)
                nothing.linkage, nothing.global_constant = "internal", True
                nothing.initializer = ir.Constant(self.get_data_type(), None)
            here = builder.select(cgutils.is_null(builder, value), nothing, value)
            return self.get(builder, here, i)

        return [(kind, lambda value, i=i: part(i, value)) for i, kind in enumerate(self._members)]


def _model(manager, kind):
    ours = kind.instance_class.__module__.startswith(f"{NAME}.")
    return (Record if ours else models.TupleModel)(manager, kind)


default_manager.register(types.NamedTuple, _model)
_plain_tuple, _plain_boxed, _plain_decorated = CPUContext.make_tuple, boxing.box_tuple, CPUCallConv.decorate_function


def _make_tuple(context, builder, kind, values):
    model = context.data_model_manager[kind]
    return model.made(builder, values) if isinstance(model, Record) else _plain_tuple(context, builder, kind, values)


def _box_tuple(kind, value, c):
    model = c.context.data_model_manager[kind]
    if isinstance(model, Record):
        parts = [model.get(c.builder, value, i) for i in range(model.field_count)]
        kind = types.Tuple(kind.types)
        value = c.context.make_tuple(c.builder, kind, parts)
    return _plain_boxed(kind, value, c)


def _decorate_function(convention, function, *args, **options):
    """Nobody writes to a record, so what is read from one stays the same whatever a kernel writes."""
    _plain_decorated(convention, function, *args, **options)
    for each in convention.get_arguments(function):
        if isinstance(each.type, ir.PointerType) and isinstance(each.type.pointee, ir.IdentifiedStructType):
            each.add_attribute("noalias")
            each.add_attribute("captures(none)")


for _place, _name, _ours in (
    (CPUContext, "make_tuple", _make_tuple),
    (CPUCallConv, "decorate_function", _decorate_function),
    (boxing, "box_tuple", _box_tuple),
):
    setattr(_place, _name, _ours)


@lower_getattr_generic(types.NamedTuple)
def _getattr(context, builder, kind, value, name):
    at, model = kind.fields.index(name), context.data_model_manager[kind]
    part = model.get(builder, value, at) if isinstance(model, Record) else builder.extract_value(value, at)
    return impl_ret_borrowed(context, builder, kind[at], part)


class Lower(lowering.Lower):
    """numba's, but that a record which a loop keeps for its next round is copied to where its name has a place of its
    own.
    """

    def lower_normal_function(self, fndesc: Any) -> None:
        self.kept = dict.fromkeys(_kept(self.func_ir.variable_lifetime, fndesc.typemap))
        super().lower_normal_function(fndesc)

    def _own(self, name):
        if self.kept[name] is None:
            kind = self.context.data_model_manager[self.typeof(name)].get_data_type()
            self.kept[name] = cgutils.alloca_once(self.builder, kind)
        return self.kept[name]

    def loadvar(self, name: str) -> Value:
        if name not in self.kept:
            return super().loadvar(name)
        model = self.context.data_model_manager[self.typeof(name)]
        return model.from_data(self.builder, self.builder.load(self._own(name)))  # the name may be given on meanwhile

    def storevar(self, value: Value, name: str, argidx: int | None = None) -> None:
        if name not in self.kept:
            super().storevar(value, name, argidx)
            return
        place, after = self._own(name), self.builder.load(value)
        self.decref(self.typeof(name), place)
        self.builder.store(after, place)

    def delvar(self, name: str) -> None:
        if name not in self.kept:
            super().delvar(name)
            return
        place = self._own(name)
        self.decref(self.typeof(name), place)
        self.builder.store(ir.Constant(place.type.pointee, None), place)


def _kept(lives, kinds):
    """Names of records that are made in a loop and used in its next round."""
    names = set()
    for loop in lives.cfg.loops().values():
        names |= lives.livemap[loop.header] & set().union(*(lives.usedefs.defmap[at] for at in loop.body))
    names = {name for name in names if _holds_one(kinds[name])}
    for name in names:
        if not isinstance(default_manager[kinds[name]], Record):
            raise errors.UnsupportedError(f"{name} holds a NamedTuple for the next round of a loop; name it by itself")
    return names


@functools.cache
def _holds_one(kind):
    return any(isinstance(model, Record) for model in default_manager[kind].traverse_models())
