"""At which of several ranges a captain wants to fight."""

import numpy as np

from combat.captain.temperament import Temperament
from tabletop.angles import FloatArray


def best_exchange(given: FloatArray, taken: FloatArray, temper: Temperament) -> int | None:
    """At which of several ranges a captain wants to fight; None for nowhere.

    `given` and `taken` are the shares of the enemy's strength and of the own one that a segment
    may be expected to cost. What decides a battle is the lead in the exchange, at whatever rate
    it goes on; how fast it goes on is a matter of temperament.
    """
    both = given + taken
    if not given.any():
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        lead = np.where(given > 0.0, (given - taken) / both, -np.inf)
    off = np.abs(both / both.max() - temper.intensity)
    score = lead - temper.intensity_weight * off
    best = int(score.argmax())
    return best if lead[best] >= temper.least_lead else None
