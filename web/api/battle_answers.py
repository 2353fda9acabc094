"""What the battle's API answers: the rules' own types, which are its description too."""

from pydantic import BaseModel, ConfigDict, RootModel

from combat.record_sheets import RecordSheet
from combat.story_entries import Entry
from combat.views import FireCheck, PlotCheck, Standing, TargetOption


class Closed(BaseModel):
    """An answer with the keys that are described and no others."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class CheckedPlot(Closed):
    """A plot as typed: the path to draw, the factors used, and every fault."""

    plot: PlotCheck


class Standings(Closed):
    """How the models stand to their plots."""

    standing: tuple[Standing, ...]


class FireOptions(Closed):
    """Every target with what bears, what it costs, and the exact odds."""

    targets: tuple[TargetOption, ...]


class CheckedFires(RootModel[FireCheck]):
    """A ship's fire orders as chosen, or what is wrong with them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Story(Closed):
    """What has happened, oldest first."""

    story: tuple[Entry, ...]


class Sheet(Closed):
    """A ship's record sheet."""

    sheet: RecordSheet
