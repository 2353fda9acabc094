"""Messages: equal by value, stored and read back, with the names that a viewer may know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tabletop.errors import DreyerError, UnknownName
from tabletop.messages import Message, ShipRef, Value, verbatim

ADAPTER: TypeAdapter[Message] = TypeAdapter(Message)
NAMES = st.text("abcdefgh_", min_size=1, max_size=8)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.builds(ShipRef, st.text(max_size=10)),
)


def _messages(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Message]:
    params = st.dictionaries(NAMES, values, max_size=4)
    return st.builds(lambda code, found: Message(code, **found), NAMES, params)


VALUES: st.SearchStrategy[Value] = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), _messages(inner))
)


@given(_messages(VALUES))
def test_a_stored_message_is_read_back(message: Message) -> None:
    assert ADAPTER.validate_json(ADAPTER.dump_json(message)) == message


def test_the_order_of_parameters_does_not_matter() -> None:
    first, second = (
        Message("hit", ship=ShipRef("hood"), n=2),
        Message("hit", n=2, ship=ShipRef("hood")),
    )
    assert first == second
    assert hash(first) == hash(second)
    assert first != Message("hit", n=3, ship=ShipRef("hood"))


def test_a_viewer_gets_other_names_wherever_a_ship_stands() -> None:
    hood, bismarck = ShipRef("hood"), ShipRef("bismarck")
    message = Message("a", by=hood, at=(bismarck, hood), why=Message("b", ship=hood), text="hood")
    seen = message.with_ships({"hood": "No. 1"})
    number = ShipRef("No. 1")
    assert seen == Message(
        "a", by=number, at=(bismarck, number), why=Message("b", ship=number), text="hood"
    )


def test_a_text_of_an_older_version_is_read_as_it_is() -> None:
    assert ADAPTER.validate_python("the hit roll") == verbatim("the hit roll")


@pytest.mark.parametrize(
    "stored", [None, 3, ["a"], {}, {"code": 1}, {"code": "a", "params": []}, {"ship": "hood"},
               {"code": "a", "more": 1}, {"code": "a", "params": {"x": {"y": 1}}}],
)  # fmt: skip
def test_anything_else_is_refused(stored: object) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_python(stored)


def test_words_are_served_where_the_context_says_how() -> None:
    message = Message("hit", n=2)
    assert ADAPTER.dump_python(message, context={"words": lambda found: found.code}) == "hit"
    assert ADAPTER.dump_python(message) == {"code": "hit", "params": {"n": 2}}


def test_an_error_is_a_message() -> None:
    error = DreyerError("battle.sunk", ship=ShipRef("hood"))
    assert error.message == Message("battle.sunk", ship=ShipRef("hood"))
    assert str(error) == "battle.sunk(ship=hood)"
    unknown = UnknownName("battle", "ship", "Hod", ["Hood", "Bismarck"])
    assert unknown.message.code == "errors.unknown_name.like"
    assert unknown.message["nearest"] == "Hood"
