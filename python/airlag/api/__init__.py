"""What ``import airlag`` offers for scripts and notebooks, one file an idea.

Every function takes its settings as keywords, asks the module that does the work, and gives a
result that shows itself. The command line asks the same modules.
"""
