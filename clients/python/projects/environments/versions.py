"""Which version of a package a task finds."""


def version(number):
    import packaging

    return number, packaging.__version__
