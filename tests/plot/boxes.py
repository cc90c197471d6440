"""The texts of a figure as boxes, from the positions in its SVG. A box is a little smaller than its text, so that
boxes that overlap are texts that do."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
LETTER, HEIGHT = 0.5, 0.7  # of a box, as parts of the size of the font


class Box:
    def __init__(self, text, x, y, degrees, size, anchor):
        width = LETTER * size * len(text)
        start = {"start": 0, "middle": -width / 2, "end": -width}[anchor]
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self.text = text
        self.corners = [(x + u * cos - v * sin, y + u * sin + v * cos)
                        for u, v in itertools.product((start, start + width), (0, -HEIGHT * size))]
        self.axes = ((cos, sin), (-sin, cos))

    def along(self, axis):
        places = [x * axis[0] + y * axis[1] for x, y in self.corners]
        return min(places), max(places)

    def overlaps(self, other):
        """Two rectangles are apart if a side of one of them separates them."""
        for axis in (*self.axes, *other.axes):
            (low, high), (other_low, other_high) = self.along(axis), other.along(axis)
            if high <= other_low or other_high <= low:
                return False
        return True

    def leaves(self, width, height):
        return any(not (0 <= x <= width and 0 <= y <= height) for x, y in self.corners)


def boxes(path):
    """The boxes of all texts in the figure, and its width and height."""
    root = ET.parse(path).getroot()
    found = {}  # by text and place: gnuplot writes a label twice if it has a box
    for group in root.iter(SVG + "g"):
        place = re.match(r"translate\(([-0-9.]+),([-0-9.]+)\)(?: rotate\(([-0-9.]+)\))?", group.get("transform", ""))
        texts = [t for t in group if t.tag == SVG + "text"]
        if not place or not texts:
            continue
        x, y, degrees = float(place.group(1)), float(place.group(2)), float(place.group(3) or 0)
        for text in texts:
            shown = "".join(text.itertext()).strip()
            if shown:
                found[shown, x, y] = Box(shown, x, y, degrees, float(group.get("font-size")), group.get("text-anchor"))
    return list(found.values()), float(root.get("width")), float(root.get("height"))


def collisions(path):
    """Pairs of texts that overlap, and texts that leave the figure."""
    found, width, height = boxes(path)
    return ([(a.text, b.text) for a, b in itertools.combinations(found, 2) if a.overlaps(b)]
            + [(a.text, "the edge") for a in found if a.leaves(width, height)])
