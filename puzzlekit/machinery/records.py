"""NamedTuples of the package in kernels: passed by the address where they stand.

numba would spell out every part of every array among the arguments of every call, some three hundred for a board and a
trail, and copy them wherever the tuple is named. Here a value is the address of a struct that nobody writes to once it
is made; it stands in the frame of the kernel that made it or was given it by a callee. So a place in a kernel that
makes one holds one at a time: `refuse_kept` refuses to compile a loop that would keep the one of the last round.

Not here: what else is compiled otherwise than plain numba would (compiler.py).
"""

import functools
import hashlib
from typing import Any

from llvmlite import ir
from llvmlite.ir import global_context as spelled_out
from numba.core import boxing, cgutils, errors, types
from numba.core import ir as numba_ir
from numba.core.analysis import compute_cfg_from_blocks, compute_live_map, compute_use_defs
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


CPUContext.make_tuple = _make_tuple
CPUCallConv.decorate_function = _decorate_function
boxing.box_tuple = _box_tuple


@lower_getattr_generic(types.NamedTuple)
def _getattr(context, builder, kind, value, name):
    at, model = kind.fields.index(name), context.data_model_manager[kind]
    part = model.get(builder, value, at) if isinstance(model, Record) else builder.extract_value(value, at)
    return impl_ret_borrowed(context, builder, kind[at], part)


@functools.cache
def _holds_one(kind):
    return any(isinstance(model, Record) for model in default_manager[kind].traverse_models())


def refuse_kept(blocks: dict[int, Any], kinds: dict[str, types.Type]) -> None:
    """numba.errors.UnsupportedError for a loop in which a record is made, and used in the next round.

    blocks     of numba's intermediate code
    kinds      types of its variables
    """
    made = [
        each
        for block in blocks.values()
        for each in block.find_insts(numba_ir.Assign)
        if isinstance(each.value, numba_ir.Expr) and each.value.op == "call" and _holds_one(kinds[each.target.name])
    ]
    if not made:
        return
    graph, uses = compute_cfg_from_blocks(blocks), compute_use_defs(blocks)
    alive = compute_live_map(graph, blocks, uses.usemap, uses.defmap)
    for loop in graph.loops().values():
        for name in set().union(*(uses.defmap[at] for at in loop.body)) & alive[loop.header]:
            if _holds_one(kinds[name]):
                raise errors.UnsupportedError(
                    f"{name} is made in a loop and kept for its next round", loc=blocks[loop.header].loc
                )
