"""A real Prometheus takes the dashboard and the alert rules as they are."""

import pytest

from tests import dashboard


@pytest.mark.room
@pytest.mark.slow("waits for a real Prometheus to read four processes")
def test_prometheus_answers_every_query_and_every_rule_fires_on_its_figures_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert dashboard.main() == 0, capsys.readouterr().out
