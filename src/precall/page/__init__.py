"""The page that people pass on: one file with tables, charts as SVG and the numbers as JSON."""
