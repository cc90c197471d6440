"""Statements of a paper, and the claims that decide them: a number here, the paper's, and a stated tolerance."""

from lib.rows import Undecided

HOLDS, DIRECTION, FAILS, UNDECIDED = "holds", "direction only", "does not hold", "not decided"
UNKNOWN = "reason unknown"

# Why a tolerance is what it is.
SIMULATED = "simulated times are within 10 % of measured ones (validation.md)"
TWO_SPEEDS = "each of the two speeds may be off by some per cent"
WORD = "the paper has only words"


class Claim:
    """A condition on measured values. `what` names them, `why` says why the limit is there, `form` formats them.
    `paper`: the number in the paper's text, or numbers by label; None: the text has only words. `start`: the value that
    would mean no effect, for instance 1 for a ratio; a value on the right side of it has the right direction."""

    def __init__(self, what, why, form="{:.0%}", paper=None, start=None):
        self.what, self.why, self.form, self.paper, self.start = what, why, form, paper, start

    def number(self, label):
        return self.paper[label] if isinstance(self.paper, dict) else self.paper

    def verdict(self, values):
        """The verdict on a number, or on numbers by label."""
        pairs = list(flat(values))
        if any(value is None for _, value in pairs):
            raise Undecided(f"no {self.what}")
        if all(self.holds(label, value) for label, value in pairs):
            return HOLDS
        same = self.start is not None and all(self.on_the_side(label, value) for label, value in pairs)
        return DIRECTION if same else FAILS

    def paper_text(self):
        numbers = self.paper.values() if isinstance(self.paper, dict) else [self.paper]
        return "" if self.paper is None else ", ".join(map(self.form.format, numbers))

    def tolerance(self):
        return f"{self.limit_text()}: {self.why}" if self.why else self.limit_text()

    def here(self, values):
        return f"{self.what}: {text_of(values, self.form)}"


class Near(Claim):
    """The values are those of the paper within a fraction (`within`) or an amount (`by`)."""

    def __init__(self, what, paper, why=SIMULATED, within=None, by=None, **how):
        super().__init__(what, why, paper=paper, **how)
        self.within, self.by = within, by

    def holds(self, label, value):
        number = self.number(label)
        if self.start is not None and not self.on_the_side(label, value):
            return False
        return abs(value - number) <= (self.by if self.within is None else self.within * abs(number))

    def on_the_side(self, label, value):
        return (value - self.start) * (self.number(label) - self.start) > 0

    def limit_text(self):
        if self.within is not None:
            return f"within {self.within:.0%}"
        return f"within {self.by * 100:.2g} points" if "%" in self.form else "within " + self.form.format(self.by)


class Range(Claim):
    """The values are from `low` to `high`, with both ends. None: no limit."""

    def __init__(self, what, low, high, why=WORD, **how):
        super().__init__(what, why, **how)
        self.low, self.high = low, high

    def holds(self, _label, value):
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def on_the_side(self, _label, value):
        greater = self.high is None or self.low is not None and self.low >= self.start
        return value > self.start if greater else value < self.start

    def limit_text(self):
        low, high = (None if limit is None else self.form.format(limit) for limit in (self.low, self.high))
        return f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"


def at_least(what, limit, why=WORD, **how):
    return Range(what, limit, None, why, **how)


def at_most(what, limit, why=WORD, **how):
    return Range(what, None, limit, why, **how)


def flat(values, label=None):
    """Pairs of label and number. A dict has labels, and its values may be lists or dicts. An empty list or dict has the
    number None."""
    if values in ({}, [], ()):
        yield label, None
    elif isinstance(values, dict):
        for key, value in values.items():
            yield from flat(value, key)
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from flat(value, label)
    else:
        yield label, values


def text_of(values, form):
    """Numbers as text. A list becomes its range; labels that are numbers, such as sizes, follow the value."""
    if isinstance(values, dict):
        nested = any(isinstance(value, dict) for value in values.values())
        words = [f"{text_of(value, form)} ({key})" if isinstance(key, (int, float))
                 else f"{key} {text_of(value, form)}" for key, value in values.items()]
        return ("; " if nested else ", ").join(words)
    if isinstance(values, (list, tuple)):
        low, high = form.format(min(values)), form.format(max(values))
        return low if low == high else f"{low} to {high}"
    return form.format(values)


class Verdict:
    """A statement with values: `of` is the verdict, `claims` has for each claim its verdict and its numbers as text."""

    def __init__(self, of, here, claims=()):
        self.of, self.here, self.claims = of, here, list(claims)


class Statement:
    """A statement of the paper. `function` takes the rows and returns the values of the claims: for one claim a number,
    a list, or a dict by label; for several a tuple of these, in their order. `differs`: the reason if it does not hold
    here; `size_differs`: the reason if it holds only in its direction. Both may be dicts by size of the figure.
    `experiments`: names of lib/causes.py that show the reason, or were tried."""

    def __init__(self, section, text, claims, function, differs=None, size_differs=None, experiments=()):
        self.section, self.text, self.claims, self.function = section, text, claims, function
        self.differs, self.size_differs = differs, size_differs
        self.experiments = [experiments] if isinstance(experiments, str) else list(experiments)

    def expected(self, size):
        """The expected verdict, and the reason if the statement does not hold."""
        for why, verdict in (self.differs, FAILS), (self.size_differs, DIRECTION):
            why = why.get(size) if isinstance(why, dict) else why
            if why:
                return verdict, why
        return HOLDS, None

    def verdict(self, rows):
        try:
            values = self.function(rows)
            values = values if len(self.claims) > 1 else (values,)
            claims = [(claim, claim.verdict(v), claim.here(v)) for claim, v in zip(self.claims, values, strict=True)]
        except Undecided as why:
            return Verdict(UNDECIDED, str(why))
        verdicts = [verdict for _, verdict, _ in claims]
        of = next((v for v in (FAILS, DIRECTION) if v in verdicts), HOLDS)
        return Verdict(of, "; ".join(here for _, _, here in claims), claims)

    def paper_text(self):
        return "; ".join(filter(None, (claim.paper_text() for claim in self.claims)))

    def tolerance(self):
        return "; ".join(claim.tolerance() for claim in self.claims)
