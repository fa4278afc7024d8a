"""Judging what ran: claims, records and deviations become verdicts, answers and reports."""
