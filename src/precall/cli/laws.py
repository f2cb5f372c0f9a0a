"""What `precall null` means: from typed options to laws, a sheet and a picture."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.sheet.distributions import Setting

#: The settings of the simulation study of Zhang & Su (2012): items, relevant.
STUDY = ((1000, 100), (2000, 500))
#: Random rankings behind a histogram, if --simulate does not say.
_DRAWN = 10_000
_PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True, slots=True)
class NullCommand:
    """`precall null` as typed; the fields are its options."""

    items: int | None
    relevant: int | None
    retrieved: int | None
    ap: str | None
    published: bool
    simulate: int | None
    seed: int | None
    plot: str | None
    form: str
    output: str | None

    def execute(self) -> int:
        """Compute and write; returns the exit code."""
        from precall.cli import outputs
        from precall.sheet.distributions import null_sheet

        settings = self.settings()
        outputs.check(self.output, [])
        if self.plot is not None:
            self._draw(settings[0], self.plot)
        return outputs.write_sheet(null_sheet(settings, self._conventions()), self.form, self.output)

    def settings(self) -> list[Setting]:
        """What was asked about, checked."""
        from precall.sheet.distributions import Setting

        if (self.items is None) != (self.relevant is None):
            raise UsageError(
                "--items and --relevant belong together; give both, or none for the published study"
            )
        pairs = STUDY if self.items is None or self.relevant is None else ((self.items, self.relevant),)
        if self.items is None and (
            self.ap is not None or self.plot is not None or self.retrieved is not None
        ):
            raise UsageError("--ap, --plot and --retrieved need --items and --relevant")
        self._check()
        return [
            Setting(
                n,
                m,
                m if self.retrieved is None else self.retrieved,
                self.simulate,
                self.seed or 0,
                self.ap,
                self.published,
            )
            for n, m in pairs
        ]

    def _check(self) -> None:
        if self.items is not None and self.items < 1:
            raise UsageError(f"--items: must be an integer >= 1, got {self.items}")
        for name, value in (("--relevant", self.relevant), ("--retrieved", self.retrieved)):
            if value is not None and self.items is not None and not 1 <= value <= self.items:
                raise UsageError(f"{name}: must be an integer in 1..{self.items}, got {value}")
        if self.ap is not None and not 0 <= float(self.ap) <= 1:
            raise UsageError(f"--ap: must be in 0..1, got {self.ap}")
        if self.simulate is not None and self.simulate < 2:
            raise UsageError(f"--simulate: must be an integer >= 2, got {self.simulate}")
        if self.seed is not None and self.seed < 0:
            raise UsageError(f"--seed: must be an integer >= 0, got {self.seed}")
        if self.seed is not None and self.simulate is None and self.plot is None:
            raise UsageError("--seed is for --simulate and --plot; leave it out or give one of them")
        if self.plot is not None:
            self._check_picture(Path(self.plot))

    def _check_picture(self, path: Path) -> None:
        if path.suffix.lower() not in _PICTURES:
            raise UsageError(f"--plot {path}: the name must end in {', '.join(_PICTURES)}")
        if path.is_dir() or not Path(os.path.realpath(path)).parent.is_dir():
            raise UsageError(f"--plot {path}: is a directory, or there is none to hold it; name a file")
        if self.output not in (None, "-") and os.path.realpath(path) == os.path.realpath(str(self.output)):
            raise UsageError(f"--plot {path}: is also the --output; name another file")

    def _draw(self, setting: Setting, path: str) -> None:
        from dataclasses import replace

        from precall.cli import outputs
        from precall.plot import NullLaw, pictures

        drawn = replace(setting, drawn=setting.drawn or _DRAWN)
        display = NullLaw.from_law(
            drawn.law, drawn.draws()["AP", "drawn"], setting.taken().value if setting.asked else None
        ).plot()
        outputs.write_file(pictures.rendered(display.figure_, pictures.ending(path)), path)

    def _conventions(self) -> dict[str, str]:
        from precall.version import __version__

        drawn = (
            {} if self.simulate is None else {"drawn": f"{self.simulate} rankings (seed {self.seed or 0})"}
        )
        return {"precall": __version__, "null": "random selection, no ties", **drawn}
