"""One way to check what comes from outside: files, forms, requests, imports, owner's values.

A document is described by a frozen dataclass whose annotations say what each field takes. `Schema`
reads a document into it with pydantic. What is wrong is told as one `BadField`: where, which field,
what was expected and what was found. The same annotations describe the API (`Schema.adapter`) and
make forms (`shape_of`).

    @document
    class Spot:
        name: Annotated[Line, Field(max_length=40)]
        x: Annotated[Number, Field(ge=0, le=1_000_000), Unit("yards")]

    Schema(Spot).read({"name": "Hood", "x": "far"}, "scene.toml")
"""

from tabletop.schema.annotations import keys_of, kind_of, metadata_of
from tabletop.schema.declarations import (
    CONFIG,
    FILE_CONFIG,
    document,
    file_document,
    optional_keys,
    parameters_of,
    present_values,
)
from tabletop.schema.faults import (
    MISSING,
    describe_value,
    missing,
    one_of,
    wrong,
)
from tabletop.schema.field_types import (
    FARTHEST_YARDS,
    SERVER_SETS,
    Annotation,
    CheckFailed,
    Expected,
    Flag,
    Line,
    LongText,
    Number,
    Positive,
    Reason,
    Secret,
    ShipName,
    SideName,
    StoredAs,
    Text,
    Unit,
    Whole,
    Yards,
)
from tabletop.schema.reader import (
    PARSING,
    Schema,
    UnionSchema,
    adapter_of,
    drop_nulls,
    read_field,
)
from tabletop.schema.shape import Shape, Takes, bounds, shape_of

__all__ = [
    "CONFIG",
    "FARTHEST_YARDS",
    "FILE_CONFIG",
    "MISSING",
    "PARSING",
    "SERVER_SETS",
    "Annotation",
    "CheckFailed",
    "Expected",
    "Flag",
    "Line",
    "LongText",
    "Number",
    "Positive",
    "Reason",
    "Schema",
    "Secret",
    "Shape",
    "ShipName",
    "SideName",
    "StoredAs",
    "Takes",
    "Text",
    "UnionSchema",
    "Unit",
    "Whole",
    "Yards",
    "adapter_of",
    "bounds",
    "describe_value",
    "document",
    "drop_nulls",
    "file_document",
    "keys_of",
    "kind_of",
    "metadata_of",
    "missing",
    "one_of",
    "optional_keys",
    "parameters_of",
    "present_values",
    "read_field",
    "shape_of",
    "wrong",
]
