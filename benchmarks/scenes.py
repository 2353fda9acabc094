"""Random tables for benchmarks and tests, the same for the same seed."""

import random

from tabletop.table import Base, Model, Pose, SmokeFront, Table

SIZES = ("very small", "small", "medium", "large", "very large")


def random_table(ships: int, seed: int, *, smoke: int = 3, sigma_yards: float = 15.0) -> Table:
    """Ships of several base sizes, strewn over a six by four foot table at 500 yd to the inch."""
    chance = random.Random(seed)  # noqa: S311 - a scene, not a secret

    def place() -> tuple[float, float]:
        return chance.uniform(0, 36_000), chance.uniform(0, 24_000)

    models = []
    for number in range(ships):
        x, y = place()
        length = chance.uniform(300, 1500)
        models.append(
            Model(
                name=f"ship {number + 1}",
                pose=Pose(x, y, chance.uniform(0, 360), sigma_yards, chance.uniform(0, 1.5)),
                base=Base(length, chance.uniform(150, 600), chance.uniform(-0.4, 0.4) * length),
                size=chance.choice(SIZES),
            )
        )
    fronts = tuple(SmokeFront(*place(), *place()) for _ in range(smoke))
    return Table(tuple(models), fronts)
