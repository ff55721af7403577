"""Machine code for what plain Python can only spell out: 128-bit card sets and the rule table.

The twin of ``simulator.cards``: same functions, same meaning, on a numba type of 128 bits. Only the
compiler imports this module.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, lower_cast, models, overload, register_model

from simulator import cards, scratch, view
from simulator.rules import Deck
from simulator.view import ascending, top

FITTING: np.ndarray  # bound by the compiler: fitting_cards() of the deck that is played

BIT = ir.IntType(1)
WORD = ir.IntType(64)
WIDE = ir.IntType(128)


class CardSet(types.Type):
    """A set of cards: one 128-bit number, bit c for card c."""

    def __init__(self) -> None:
        super().__init__(name="CardSet")

    def can_convert_from(self, typingctx, other):
        return Conversion.safe if isinstance(other, types.Integer) else None

    def unify(self, typingctx, other):
        return self if isinstance(other, types.Integer) else None


card_set = CardSet()


@register_model(CardSet)
class CardSetModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, WIDE)


def _is_set_or_number(kind):
    return isinstance(kind, CardSet | types.Integer)


def _widen(builder, value, kind):
    """The number as 128 bits. Like a Python int, a negative one goes on with ones for ever."""
    if isinstance(kind, CardSet):
        return value
    return builder.sext(value, WIDE) if kind.signed else builder.zext(value, WIDE)


@lower_cast(types.Integer, CardSet)
def _number_to_set(context, builder, from_type, to_type, value):
    return _widen(builder, value, from_type)


def _binary(python_operators, instruction, result=card_set):
    """Give an operator on two sets, or a set and a number, to compiled code."""

    @intrinsic
    def emit(typing_context, left, right):
        def code(context, builder, signature, arguments):
            wide = [_widen(builder, *pair) for pair in zip(arguments, signature.args, strict=True)]
            return instruction(builder, *wide)

        return result(left, right), code

    def implementation(left, right):
        kinds = (left, right)
        if any(isinstance(k, CardSet) for k in kinds) and all(_is_set_or_number(k) for k in kinds):
            return lambda left, right: emit(left, right)
        return None

    for python_operator in python_operators:
        overload(python_operator)(implementation)


_binary((operator.and_, operator.iand), ir.IRBuilder.and_)
_binary((operator.or_, operator.ior), ir.IRBuilder.or_)
_binary((operator.xor, operator.ixor), ir.IRBuilder.xor)
_binary((operator.lshift, operator.ilshift), ir.IRBuilder.shl)
_binary((operator.rshift, operator.irshift), ir.IRBuilder.lshr)
_binary((operator.eq,), lambda builder, a, b: builder.icmp_unsigned("==", a, b), types.boolean)
_binary((operator.ne,), lambda builder, a, b: builder.icmp_unsigned("!=", a, b), types.boolean)


def _unary(result, emit_code: Callable[..., Any]):
    """An intrinsic of one set."""

    @intrinsic
    def emit(typing_context, value):
        if not _is_set_or_number(value):
            return None

        def code(context, builder, signature, arguments):
            return emit_code(builder, _widen(builder, arguments[0], signature.args[0]))

        return result(value), code

    return emit


def _zero():
    return ir.Constant(WIDE, 0)


def _count_zeros(name):
    """LLVM's count of leading or trailing zeros; 128 for the empty set."""

    def code(builder, value):
        kind = ir.FunctionType(WIDE, [WIDE, BIT])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.i128")
        return builder.trunc(builder.call(function, [value, ir.Constant(BIT, 0)]), WORD)

    return code


def _count_ones(builder, value):
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WIDE, [WIDE]), "llvm.ctpop.i128")
    return builder.trunc(builder.call(function, [value]), WORD)


def _highest(builder, value):
    return builder.sub(ir.Constant(WORD, 127), _count_zeros("ctlz")(builder, value))


def _single(builder, card):
    # Two 64-bit selects: a 128-bit shift by a variable is several times slower on most processors.
    card = builder.trunc(card, WORD)
    bit = builder.shl(ir.Constant(WORD, 1), builder.and_(card, ir.Constant(WORD, 63)))
    nothing = ir.Constant(WORD, 0)
    in_low = builder.icmp_unsigned("<", card, ir.Constant(WORD, 64))
    in_high = builder.icmp_unsigned("<", builder.sub(card, ir.Constant(WORD, 64)), ir.Constant(WORD, 64))
    return _glue(builder, builder.select(in_low, bit, nothing), builder.select(in_high, bit, nothing))


def _glue(builder, low, high):
    return builder.or_(builder.zext(low, WIDE), builder.shl(builder.zext(high, WIDE), ir.Constant(WIDE, 64)))


_invert = _unary(card_set, lambda builder, value: builder.not_(value))
_is_not_empty = _unary(types.boolean, lambda builder, value: builder.icmp_unsigned("!=", value, _zero()))


@overload(operator.invert)
def _overload_invert(value):
    return (lambda value: _invert(value)) if isinstance(value, CardSet) else None


@overload(operator.not_)
def _overload_not(value):
    return (lambda value: not _is_not_empty(value)) if isinstance(value, CardSet) else None


@overload(bool)
def _overload_bool(value):
    return (lambda value: _is_not_empty(value)) if isinstance(value, CardSet) else None


@intrinsic
def no_cards(typing_context):
    return card_set(), lambda context, builder, signature, arguments: _zero()


@intrinsic
def join(typing_context, low, high):
    return card_set(low, high), lambda context, builder, signature, arguments: _glue(builder, *arguments)


single = _unary(card_set, _single)
count = _unary(types.int64, _count_ones)
lowest = _unary(types.int64, _count_zeros("cttz"))
highest = _unary(types.int64, _highest)
low_half = _unary(types.uint64, lambda builder, value: builder.trunc(value, WORD))
high_half = _unary(types.uint64, lambda builder, value: builder.trunc(builder.lshr(value, ir.Constant(WIDE, 64)), WORD))


def _scratch(kind, width):
    """Memory on the stack: unlike a numpy array it costs no reference counting, and nothing else can point to it."""

    @intrinsic(prefer_literal=True)
    def emit(typing_context, size):
        if not isinstance(size, types.IntegerLiteral):
            return None

        def code(context, builder, signature, arguments):
            return cgutils.alloca_once(builder, width, size=size.literal_value)

        return types.CPointer(kind)(size), code

    return emit


scratch_bytes = _scratch(types.uint8, ir.IntType(8))
scratch_words = _scratch(types.uint64, WORD)

# The machine code that stands in for each plain function.
TWINS: dict[Any, Any] = {
    cards.no_cards: no_cards,
    cards.single: single,
    cards.count: count,
    cards.lowest: lowest,
    cards.highest: highest,
    cards.low_half: low_half,
    cards.high_half: high_half,
    cards.join: join,
    scratch.scratch_bytes: scratch_bytes,
    scratch.scratch_words: scratch_words,
}


def fitting_cards(deck: Deck) -> np.ndarray:
    """The rules as a table: row ``128 * side + top`` is the set of cards that fit, in two halves.

    Side 0 is ascending, 1 descending. One load replaces all comparing, backward moves included.
    """
    table = np.zeros((256, 2), dtype=np.uint64)
    for shown in range(128):
        for card in range(deck.lowest, deck.highest + 1):
            for side, distance in ((0, card - shown), (1, shown - card)):
                if distance > 0 or distance == -deck.step:
                    table[128 * side + shown, card // 64] |= np.uint64(1 << card % 64)
    return table


BELOW = np.array([[cards.low_half((1 << n) - 1), cards.high_half((1 << n) - 1)] for n in range(129)], dtype=np.uint64)


def below(card):
    """The set of all numbers below the card."""
    row = min(max(card, 0), 128)
    return join(BELOW[row, 0], BELOW[row, 1])


def span(first, last):
    """``cards.span`` by two looks into a table; shifting 128 bits by a variable would be slower."""
    return below(last + 1) & ~below(first)


def playable(view, pile):
    """``view.playable`` by one look into the table (FITTING is bound for the deck that is played)."""
    row = top(view, pile)
    if not ascending(view, pile):
        row += 128
    row &= 255  # a pile that does not exist must not reach beyond the table
    return view.hand & join(FITTING[row, 0], FITTING[row, 1])


TWINS[cards.span] = span
TWINS[view.playable] = playable
