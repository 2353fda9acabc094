"""What is wrong with this computer for a table, on the host's page."""

from typing import Final

from flask import render_template

from web.api.doctor import examine_server
from web.http import guard
from web.http.addresses import Pages
from web.strings import text, words

routes: Final = Pages(__name__)


@routes.get("/doctor")
def doctor() -> str:
    """All findings, with what to do, and as text for a bug report."""
    guard.must_host()
    found = examine_server(guard.server_context())
    lines = [str(text("doctor.head", version=found.version))]
    for finding in found.findings:
        said = words(finding.message)
        if finding.remedy is not None:
            said += f" → {words(finding.remedy)}"
        lines.append(
            f"[{text(f'doctor.grade.{finding.grade}')}] "
            f"{text(f'doctor.topic.{finding.topic}')}: {said}"
        )
    return render_template("host/doctor.html", found=found, report="\n".join(lines))
