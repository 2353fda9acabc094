"""A file of results that grows while battles are fought, and from which the work goes on.

Its first line is the plan, and every further line a battle. A last line that was cut off when the
machine went down is a battle that is fought again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from combat.balance.battle import Ending, Result, ShipResult
from combat.balance.plan import Plan
from combat.participants import ShipStatus
from tabletop.errors import DreyerError

_VERSION: Final = 1


class ResultsFile:
    """The results of one plan, on disk."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Open the file of a plan, or begin one. Raises DreyerError if it is another plan's."""
        self.results: dict[int, Result] = {}
        """Those that the file had when it was opened, by their numbers."""
        head = json.dumps({"version": _VERSION, "plan": plan.document()}, sort_keys=True)
        try:
            if path.exists() and path.stat().st_size:
                whole = self._read(path, head, plan)
                self._file: IO[str] = path.open("r+", encoding="utf-8")
                self._file.seek(whole)
                self._file.truncate()
            else:
                self._file = path.open("w", encoding="utf-8")
                self._file.write(head + "\n")
            self._file.flush()
        except OSError as error:
            reason = error.strerror or str(error)
            raise DreyerError("balance.fault.file", file=str(path), reason=reason) from None

    def _read(self, path: Path, head: str, plan: Plan) -> int:
        """Take over the battles of a file; returns the bytes of its whole lines."""
        data = path.read_bytes()
        lines = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
        if not lines or lines[0].strip() != head.encode():
            raise DreyerError("balance.fault.other_plan", file=str(path))
        works = {work.number: work for work in plan.works}
        kept = len(lines[0])
        for line in lines[1:]:
            try:
                result = _result(json.loads(line))
            except (ValueError, KeyError, TypeError):
                # Nothing behind a damaged line is trusted.
                break
            work = works.get(result.number)
            if work is None or work.value != result.value:
                break
            self.results[result.number] = result
            kept += len(line)
        return kept

    def add(self, result: Result) -> None:
        """Write a result down at once."""
        self._file.write(json.dumps(_document(result), sort_keys=True) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _document(result: Result) -> dict[str, object]:
    return {
        "number": result.number,
        "value": result.value,
        "winner": result.winner,
        "ending": result.ending,
        "rounds": result.rounds,
        "ships": [[ship.name, ship.side, ship.status, ship.lost] for ship in result.ships],
    }


def _result(document: dict[str, object]) -> Result:
    number, value, winner = document["number"], document["value"], document["winner"]
    rounds, ships = document["rounds"], document["ships"]
    if not (isinstance(number, int) and isinstance(rounds, int) and isinstance(ships, list)):
        raise TypeError("expected a result")
    if not (value is None or isinstance(value, float)):
        raise TypeError("expected a value")
    return Result(
        number=number,
        value=value,
        winner=None if winner is None else str(winner),
        ending=Ending(str(document["ending"])),
        rounds=rounds,
        ships=tuple(_ships(ships)),
    )


def _ships(ships: list[object]) -> Iterator[ShipResult]:
    for ship in ships:
        if not isinstance(ship, list):
            raise TypeError("expected a ship")
        name, side, status, lost = ship
        yield ShipResult(str(name), str(side), ShipStatus(status), float(lost))
