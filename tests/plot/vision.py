"""How different colours look to people with any colour vision: CIEDE2000 after a simulation of the colour vision.

Colours are tuples of three numbers from 0 to 255 (sRGB)."""

import math

# Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency",
# severity 1.0: matrices for linear RGB.
VISIONS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1, 1.08883)  # D65


def times(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector)) for row in matrix]


def linear(part):
    part /= 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lab(colour, vision="all cones"):
    """The colour in CIE Lab, as someone with this vision sees it."""
    seen = [min(1, max(0, part)) for part in times(VISIONS[vision], [linear(part) for part in colour])]
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29
               for t in (a / b for a, b in zip(times(XYZ, seen), WHITE)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    """The difference of two colours in Lab: Sharma, Wu and Dalal 2005, "The CIEDE2000 color-difference formula"."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 1.5 - 0.5 * math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7))
    c1, c2 = math.hypot(a1 * grey, b1), math.hypot(a2 * grey, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * grey)) % 360 for a, b in ((a1, b1), (a2, b2)))
    has_hues = c1 * c2 > 0
    dh = (h2 - h1 + 180) % 360 - 180 if has_hues else 0
    hue = h1 + h2 if not has_hues else (h1 + h2) / 2 + (180 if abs(h1 - h2) > 180 else 0)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cos = lambda degrees: math.cos(math.radians(degrees))
    t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.20 * cos(4 * hue - 63)
    turn = -2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * math.sin(
        math.radians(60 * math.exp(-(((hue % 360) - 275) / 25) ** 2)))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh / 2)) / (1 + 0.015 * chroma * t)
    return math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + turn * dc * dh)


def difference(one, other, vision):
    return ciede2000(lab(one, vision), lab(other, vision))
