"""A figure as a notebook output: a PNG with alt text, and the same facts as plain text.

PNG, because GitHub shows it and JupyterLab never rewrites it. (JupyterLab puts its own SVG beside a Mermaid output, so
an SVG of ours would not survive a save.) Figures are drawn without pyplot, on a clear ground, in colours that stand
out from white and from black.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREY = "#7a7a7a"
INK = "#1b1b1b"
DPI = 100
SHARP = 2
CHINESE_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
    *("Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans GB", "Heiti SC", "Arial Unicode MS"),
)


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure, drawn when a notebook asks; `str()` and `repr()` give `text`, its twin."""

    text: str
    draw: "Callable[[], Figure]"
    mermaid: str | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        figure = self.draw()
        width, height = (round(inches * DPI) for inches in figure.get_size_inches())
        mermaid = {"text/vnd.mermaid": self.mermaid} if self.mermaid else {}
        bundle = {**mermaid, "image/png": png(figure), "text/plain": self.text}
        return bundle, {"image/png": {"width": width, "height": height, "alt": self.text}}


def png(figure: "Figure") -> bytes:
    """Return the figure as PNG bytes with 64 colours: a quarter of the size, no version of matplotlib inside."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(DPI * SHARP)
    for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
        patch.set_alpha(0)
    canvas, small = FigureCanvasAgg(figure), BytesIO()
    canvas.draw()
    picture = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    picture.quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


@cache
def fonts() -> tuple[str, ...]:
    """The font that comes with matplotlib, then the Chinese ones this machine has."""
    from matplotlib.font_manager import fontManager

    return ("DejaVu Sans", *(name for name in CHINESE_FONTS if name in fontManager.get_font_names()))


def drawable(text: str) -> str:
    r"""Return the text with every character that no font here can draw written as its escape, `\u5929`."""
    from matplotlib.font_manager import findfont, get_font

    known = [get_font(findfont(name)) for name in fonts()]
    return "".join(c if any(font.get_char_index(ord(c)) for font in known) else ascii(c)[1:-1] for c in text)
