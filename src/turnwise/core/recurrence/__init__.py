"""Recurring times: cron lines, days counted from an anchor, and local times of a zone as moments. It knows no flow."""
