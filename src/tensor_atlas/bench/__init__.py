"""The benchmark of ``nox -s bench``: the gate and the site against their peers; nothing else imports it."""
