"""Reports: notebooks run with parameters, their tables and pages published."""
