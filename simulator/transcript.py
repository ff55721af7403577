"""A recorded game as text, one line a turn."""

from simulator.replay import Recorded, Turn, numbers

WISHES = {1: "no big jump on", 2: "rather not", 3: "please not"}


def transcript(game: Recorded) -> str:
    """The game turn by turn: who held what, heard what, laid what, and drew what."""
    rules = game.rules
    lines = [
        f"{game.strategy.label}, seed {game.seed}, game {game.game}: "
        f"{rules.players} player{'s' if rules.players > 1 else ''}, hands of {rules.hand_size}, "
        f"at least {rules.minimum} a turn",
        f"piles 0 to {rules.deck.piles // 2 - 1} go up, the others down; < marks a backward move",
        "",
    ]
    for number, turn in enumerate(game.turns, start=1):
        lines += turn_lines(game, number, turn)
    if game.broken:
        lines.append(f"BROKEN: {game.strategy.label} {game.reason}.")
    else:
        verdict = "WON" if game.leftover == 0 else f"{game.leftover} cards left"
        lines.append(f"{verdict}. {game.reason}")
    return "\n".join(lines)


def turn_lines(game: Recorded, number: int, turn: Turn) -> list[str]:
    """One turn: the table before it, requests heard, cards laid with their gaps, cards drawn."""
    first = turn.decisions[0]
    lines = [f"{number:3}. player {turn.player}  tops {numbers(first.tops):15}  hand {numbers(first.hand)}"]
    heard = [
        f"player {player}: {WISHES[first.request(player, pile)]} {pile}"
        for player in range(game.rules.players)
        for pile in range(game.rules.deck.piles)
        if first.request(player, pile)
    ]
    if heard:
        lines.append(f"     hears {'; '.join(heard)}")
    laid = [
        f"{d.card} on {d.pile} ({d.gap:+d}{' <' if d.gap is not None and d.gap < 0 else ''})"
        for d in turn.laid
        if d.card
    ]
    drawn = f"; draws {numbers(turn.drawn)}" if turn.drawn else ""
    lines.append(f"     lays  {', '.join(laid) or 'nothing'}{drawn}")
    return lines
