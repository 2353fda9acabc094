"""The API of the examination: what is wrong with the host's computer for a table."""

from typing import Final

from tabletop.messages import Message
from tabletop.schema import document
from web.api.route import Call, Needs, Routes
from web.doctor.examination import examine
from web.doctor.findings import Examination, Grade, Topic
from web.http.context import ServerContext
from web.owner.tables.files import default_data_folder

routes: Final = Routes()


@document
class FindingAnswer:
    """One thing that was looked at."""

    topic: Topic
    grade: Grade
    code: str
    message: Message
    remedy: Message | None


@document
class ExaminationAnswer:
    """All findings, and the worst grade among them."""

    version: str
    worst: Grade
    findings: tuple[FindingAnswer, ...]


@routes.route(
    "GET",
    "/api/doctor",
    "What is wrong with the host's computer for a table",
    operation="doctor",
    needs=Needs.HOST,
    tag="host",
)
def doctor(call: Call) -> ExaminationAnswer:
    """Examines this computer, as `dreyer doctor` does."""
    found = examine_server(call.server_context)
    return ExaminationAnswer(
        version=found.version,
        worst=found.worst,
        findings=tuple(
            FindingAnswer(
                topic=each.topic,
                grade=each.grade,
                code=each.message.code,
                message=each.message,
                remedy=each.remedy,
            )
            for each in found.findings
        ),
    )


def examine_server(server_context: ServerContext) -> Examination:
    """Examine the computer of this running server."""
    camera = server_context.camera_thread
    trouble = camera.trouble
    return examine(
        server_context.data_folder or default_data_folder(),
        server_context.sharing.now.port,
        is_server=True,
        camera_trouble=None if trouble is None else trouble.message,
        camera_source=camera.memory.setup.source if camera.latest is not None else "",
    )
