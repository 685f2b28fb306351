"""Tests of the page in a browser; a package, so that its fixtures can live as long as its tests run."""
