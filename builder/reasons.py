"""Why a row can be lost: a closed set of stages and reasons, one sentence each."""

from enum import StrEnum


class Stage(StrEnum):
    """Where a row was lost, in the order in which a row passes the stages."""

    INGEST = "ingest"
    SCREEN = "screen"
    ANONYMISE = "anonymise"
    PROVE = "prove"
    SYNTHESISE = "synthesise"
    SUITE = "suite"
    DESCRIBE = "describe"
    RELEASE = "release"


class Reason(StrEnum):
    """Why a row was lost. ``sentence`` says it to a reader."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> "Reason":
        """Make a member whose value is ``code``."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member

    # ingest
    NOT_PYTHON = "not_python", "The text is not a Python module that parses."
    NO_FUNCTION = "no_function", "The text defines no function at its top level."
    AMBIGUOUS_TARGET = (
        "ambiguous_target",
        "Several unrelated functions could be the target and nothing says which.",
    )
    CLASS_TARGET = "class_target", "The target is a class or a method of one."
    DUPLICATE = "duplicate", "The same code came earlier in the same corpus."
    LICENSE_NOT_WANTED = "license_not_wanted", "Its licence was left out by an option of the build."
    ERRATUM = "erratum", "A known fault of this row, listed in the errata of its source."
    # screen
    TOO_DEEP = "too_deep", "The code is nested too deeply, or one chain of it is too long."
    DECORATED = "decorated", "A decorator changes what the target does."
    NO_ARGUMENT = "no_argument", "The target takes no argument."
    NO_RETURN_VALUE = "no_return_value", "The target never returns a value."
    GENERATOR = "generator", "The target is a generator."
    COROUTINE = "coroutine", "The target is a coroutine."
    UNSUPPORTED_SIGNATURE = (
        "unsupported_signature",
        "The parameters cannot all be given by position.",
    )
    IMPORT_NOT_ALLOWED = "import_not_allowed", "It imports a module outside the list of pure ones."
    UNDEFINED_NAME = "undefined_name", "It uses a name that nothing defines or imports."
    TOUCHES_FILES = "touches_files", "It opens files."
    TOUCHES_INPUT = "touches_input", "It reads from the keyboard."
    TOUCHES_PROCESS = "touches_process", "It uses the process, the environment or the network."
    READS_CLOCK = "reads_clock", "It reads the clock or the calendar."
    RANDOMNESS = "randomness", "It uses random numbers."
    DYNAMIC_CODE = "dynamic_code", "It uses eval, exec or something like it."
    INTROSPECTION = "introspection", "It looks at frames, namespaces or the interpreter."
    # anonymise
    NOT_RENAMEABLE = "not_renameable", "A name cannot be replaced without changing the meaning."
    LEAK = "leak", "An old name or a word of the documentation is left in the code."
    # prove
    DOES_NOT_LOAD = "does_not_load", "The module raises an exception when it is loaded."
    CHANGED_BEHAVIOUR = (
        "changed_behaviour",
        "Original and anonymised function disagree on a call.",
    )
    FORBIDDEN = "forbidden", "It tried something that the sandbox forbids."
    NONDETERMINISTIC = "nondeterministic", "Two runs in different surroundings disagree."
    STATEFUL = "stateful", "A second call in the same process disagrees with the first."
    UNSERIALISABLE = "unserialisable", "Its results have no exact literal form."
    TOO_SLOW = "too_slow", "It runs into the time limit on its inputs."
    TOO_LARGE = "too_large", "Its results are larger than a row may hold."
    CRASHES = "crashes", "It ends the process."
    # synthesise
    NO_VALID_INPUT = "no_valid_input", "No input was found on which it returns."
    TOO_FEW_INPUTS = "too_few_inputs", "Too few inputs were found for a suite."
    ONLY_NONE = "only_none", "It returned None on every input tried."
    # suite
    CONSTANT = "constant", "It gave one and the same output on every input tried."
    LOW_BRANCH_COVERAGE = "low_branch_coverage", "The suite misses too many branch arcs."
    LOW_MUTATION_SCORE = "low_mutation_score", "Too many slightly wrong functions pass the suite."
    # describe
    NO_DESCRIPTION = "no_description", "The corpus has no description and no model was given."
    DESCRIPTION_CONTRADICTED = (
        "description_contradicted",
        "The description's own examples contradict the code.",
    )
    DESCRIPTION_UNFIT = "description_unfit", "The description holds code, links or old names."
    NO_MODEL_DESCRIPTION = (
        "no_model_description",
        "A model was asked for the description and gave none that can be used.",
    )
    # release
    LEAKS_INTO_TEST = "leaks_into_test", "The same function stands in the test split."
    DUPLICATE_METHOD = "duplicate_method", "The same function stands in another row of its split."
    STANDS_ELSEWHERE = (
        "stands_elsewhere",
        "The same function stands in a data set that the build was told to keep clear of.",
    )
