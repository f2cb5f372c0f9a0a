"""The report page: one HTML file with tables, charts as SVG, and the numbers as JSON."""
