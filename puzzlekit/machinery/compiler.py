"""How kernels are compiled and kept: numba's dispatcher with one variant a kernel, a cache that cannot be stale, and
less to compile.

Four things differ from plain numba:

- A whole number handed from kernel to kernel is an int64 (unsigned 64-bit words stay what they are), so that a kernel
  is not compiled again for every width.
- Kernels that only kernels call are kept as LLVM code for linking, never as machine code of their own; what they are
  linked into is optimised as a whole. That halves what a first call costs.
- A compiled kernel is kept under the stamp of all sources that it rests on (sources.py), and is loaded without numba's
  registries of everything that could be compiled.
- What compiles for more than two seconds says so, once.

Not here: the decorators, and where the cache lies (kernels.py). This module needs numba; it holds on to details of the
pinned version, which tests/machinery/test_compiler.py checks.
"""

import contextlib
import functools
import gc
import hashlib
import itertools
import os
import pickle
import sys
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

import llvmlite
import llvmlite.binding as ll
import numba
from numba import _dynfunc
from numba.core import bytecode, codegen, compiler, typed_passes, types, untyped_passes
from numba.core.caching import _Cache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import _OverloadFunctionTemplate

from . import shortcuts
from .records import Lower
from .sources import stamp

# numba numbers functions from 1 in every process, and symbols by these numbers; code of several processes is linked
# here
bytecode.FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))

Types = tuple[types.Type, ...]  # of arguments
Result = Any  # a compiler.CompileResult; numba makes its fields while it runs

PATIENCE = 2  # seconds of compiling before a word about it
LINKED = "link"
UNUSED = {
    untyped_passes.WithLifting, untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables, untyped_passes.FindLiterallyCalls, untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass, typed_passes.InlineOverloads, typed_passes.NopythonRewrites,
    typed_passes.AnnotateTypes, typed_passes.DumpParforDiagnostics,
}  # fmt: skip
OUTER = {"no_cfunc_wrapper": True}
INNER = {"no_cpython_wrapper": True, **OUTER}


class KernelDispatcher(CPUDispatcher):
    """A dispatcher that compiles one variant for all widths of whole numbers; other kernels are linked with code made
    for that.
    """

    def __init__(
        self, function: FunctionType, folder: Path | None, hooks: tuple = (), *, inner: bool = False, **options: bool
    ) -> None:
        super().__init__(
            function,
            targetoptions={"nopython": True, "nogil": True, **options, **(INNER if inner else OUTER)},
            pipeline_class=InnerCompiler if inner else KernelCompiler,
        )
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        bound = repr([(name, getattr(hook, "identity", hook)) for name, hook in hooks])
        code = hashlib.sha256(function.__code__.co_code + dumps(cells) + bound.encode()).hexdigest()
        self.identity = function.__module__, function.__qualname__, code  # all but the sources that it rests on
        self._cache = NoCache() if folder is None else KernelCache(function, folder, inner, code)
        self._for_kernels = (
            self if inner else functools.cache(lambda: KernelDispatcher(function, folder, hooks, inner=True, **options))
        )

    def compile(self, sig: Types) -> Callable[..., Any]:
        with global_compiler_lock, _work:
            return super().compile(_widened(sig))

    def get_call_template(self, args: Types, kws: dict[str, types.Type]) -> tuple[Any, ...]:
        if self._for_kernels is not self:
            return self._for_kernels().get_call_template(args, kws)
        args = _widened(self.fold_argument_types(args, kws)[1])
        return super().get_call_template(args, {})

    def get_overload(self, sig: Types) -> Any:
        return super().get_overload(sig) if self._for_kernels is self else self._for_kernels().get_overload(sig)

    def add_overload(self, cres: Result) -> None:
        super().add_overload(cres)
        if cres.metadata is not None and not isinstance(cres.library, LinkLibrary):  # compiled just now, not loaded
            for env in cres._find_referenced_environments():
                cres.library.codegen.set_env(env.env_name, env)


def _widened(args):
    return tuple(_wide(kind) for kind in args)


def _wide(kind):
    kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and kind != types.uint64:
        return types.int64
    return kind


class _Work:
    """Of one process: what holds while something compiles. Entered under numba's lock, again for every kernel that
    another one calls.

    Nothing is collected as garbage, which would take a tenth of the time, and the shortcuts are taken. numba's own
    functions, such as np.empty, are compiled for linking only. When all this takes long, a word is said.
    """

    def __init__(self):
        self.depth = 0
        self.said = False
        self.timer = None
        self.collecting = False
        self.replaced = []

    def __enter__(self):
        self.depth += 1

    def __exit__(self, *error):
        self.depth -= 1
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()
            self.timer = None
            for place, name, plain in self.replaced:
                setattr(place, name, plain)
            if self.collecting:
                gc.enable()

    def missed(self):
        """A kernel is not in the cache, so it is compiled now."""
        if self.timer is not None or self.depth == 0:
            return
        self.collecting = gc.isenabled()
        gc.disable()

        def decorator(template):
            return lambda **options: (
                lambda function: CPUDispatcher(
                    function, targetoptions={"nopython": True, **options, **INNER}, pipeline_class=NumbasCompiler
                )
            )

        for context in (CPUDispatcher.targetdescr.typing_context, CPUDispatcher.targetdescr.target_context):
            context.refresh()
        better = (*shortcuts.TAKEN, (_OverloadFunctionTemplate, "_get_jit_decorator", decorator))
        self.replaced = [(place, name, getattr(place, name)) for place, name, _ in better]
        for place, name, function in better:
            setattr(place, name, function)
        self.timer = threading.Timer(PATIENCE, self._say)
        self.timer.daemon = True
        self.timer.start()

    def _say(self):
        if not self.said and not os.environ.get("TQDM_DISABLE"):
            self.said = True
            print("Compiling for this machine, once; this takes a few seconds.", file=sys.stderr, flush=True)


_work = _Work()


class KernelCache(_Cache):
    """Compiled variants of one kernel, a file each, named by all that they depend on besides the sources.

    A file that cannot be read or written costs a compilation, not the work.
    """

    def __init__(self, function: FunctionType, folder: Path, inner: bool, code: str) -> None:
        """code : str     what the function says, what it encloses and the hooks that it is bound to, as a digest"""
        self.folder, self.code = folder, code
        self.name = function.__qualname__ + (".inner" if inner else "")

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def enable(self) -> None:
        pass

    def disable(self) -> NoReturn:
        raise NotImplementedError("a kernel keeps its cache")

    def flush(self) -> NoReturn:
        raise NotImplementedError("delete the folder instead")

    def _file(self, sig, target):
        versions = (numba.__version__, llvmlite.__version__, sys.version_info[:2], stamp(__name__, whole=False))
        key = repr((str(sig), self.code, versions, target.magic_tuple()))
        return self.folder / f"{self.name}.{hashlib.sha256(key.encode()).hexdigest()[:20]}"

    def load_overload(self, sig: Types, target_context: CPUContext) -> Result | None:
        with contextlib.suppress(OSError, EOFError, ValueError, ImportError, AttributeError, pickle.UnpicklingError):
            return _rebuilt(target_context, *pickle.loads(self._file(sig, target_context.codegen()).read_bytes()))
        _work.missed()
        return None

    def save_overload(self, sig: Types, data: Result) -> None:
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        file = self._file(sig, data.codegen)
        part = file.with_name(f"{file.name}.{uuid.uuid4().hex[:12]}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(dumps(data._reduce()))
            part.replace(file)
        except OSError as error:
            _say_unkept(f"{self.folder.parent}: {error.strerror or error}")
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


class NoCache(_Cache):
    """Of a kernel for which there is no folder: it is compiled in every process."""

    cache_path = None

    def load_overload(self, sig: Types, target_context: CPUContext) -> None:
        _work.missed()

    def save_overload(self, sig: Types, data: Result) -> None:
        pass

    enable = disable = flush = lambda self: None


_unkept: list[str] = []


def _say_unkept(why):
    if not _unkept:
        _unkept.append(why)
        print(f"Compiled code cannot be kept, so every process compiles anew: {why}", file=sys.stderr, flush=True)


def _rebuilt(target_context, library, *rest):
    """A stored compile result; those for linking have no machine code, and need none."""
    rtsys.initialize(
        target_context
    )  # what running needs; `refresh` would load all that compiling needs, in half a second
    if library[1] != LINKED:
        return compiler.CompileResult._rebuild(target_context, library, *rest)
    fndesc, env, signature, objectmode, lifted, annotation, reload_init, referenced = rest
    linked = LinkLibrary(target_context.codegen(), library[0])
    linked._shared_module = linked._final_module = ll.parse_bitcode(library[2])
    linked._finalized = True
    return compiler.CompileResult(
        target_context=target_context, typing_context=target_context.typing_context, library=linked, environment=env,
        entry_point=_no_entry(fndesc, env, linked), fndesc=fndesc, type_annotation=annotation, signature=signature,
        objectmode=objectmode, lifted=lifted, typing_error=None, call_helper=None, metadata=None,
        reload_init=reload_init,
        referenced_envs=referenced,
    )  # fmt: skip


def _no_entry(fndesc, env, library):
    """A function object that cannot be called: Python never sees an inner kernel."""
    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,))


class LinkLibrary(codegen.JITCodeLibrary):
    """LLVM code to be linked into a kernel that Python calls; it is not optimised and becomes no machine code by
    itself.
    """

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        self._ensure_finalized()
        return self.name, LINKED, self._get_module_for_linking().as_bitcode()


class WholeLibrary(codegen.JITCodeLibrary):
    """A kernel that Python calls, with all that is linked into it: nothing else calls those functions, so that LLVM may
    inline them where they are called once, and drop arguments that they do not use.
    """

    def _optimize_final_module(self):
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == ll.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


@register_pass(mutates_CFG=False, analysis_only=False)
class _Whole(FunctionPass):
    """Give the function a WholeLibrary."""

    _name = "puzzlekit_whole"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        state.library = WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(typed_passes.NativeLowering):
    """Write LLVM code, with records in it."""

    _name = "puzzlekit_lowering"
    lowering_class = Lower


@register_pass(mutates_CFG=False, analysis_only=False)
class _ForLinking(FunctionPass):
    """Give the function a LinkLibrary instead of one that becomes machine code."""

    _name = "puzzlekit_for_linking"

    def __init__(self):
        super().__init__()

    def run_pass(self, state):
        state.library = LinkLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.targetctx.get_executable = _linked  # of this compilation's own copy of the context
        return False


def _linked(library, fndesc, env):
    library._ensure_finalized()
    return _no_entry(fndesc, env, library)


OURS = {typed_passes.NativeLowering: _Lowering}


class KernelCompiler(compiler.CompilerBase):
    """numba's pipeline without what kernels have no use for: closures, with blocks, fused array expressions, mixed
    tuples.
    """

    inner = False

    def define_pipelines(self) -> list[PassManager]:
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(OURS.get(each, each), words) for each, words in passes.passes if each not in UNUSED]
        passes.add_pass_after(_ForLinking if self.inner else _Whole, untyped_passes.IRProcessing)
        passes.finalize()
        return [passes]


class InnerCompiler(KernelCompiler):
    """The same for a kernel that only other kernels call."""

    inner = True


class NumbasCompiler(compiler.CompilerBase):
    """numba's pipeline for its own functions, such as np.empty, where kernels call them."""

    def define_pipelines(self) -> list[PassManager]:
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_ForLinking, untyped_passes.IRProcessing)
        passes.finalize()
        return [passes]
