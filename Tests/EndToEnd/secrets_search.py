"""Searches bytes for texts, also for their UTF-16, base64 and hexadecimal forms."""

import base64


def needles(text):
    """Returns the bytes of a text in each form, by the name of the form."""
    plain = {"UTF-8": text.encode(), "UTF-16 LE": text.encode("utf-16-le"), "UTF-16 BE": text.encode("utf-16-be")}
    found = dict(plain)
    for name, content in plain.items():
        found[f"hex of {name}"] = content.hex().encode()
        found[f"HEX of {name}"] = content.hex().upper().encode()
        for shift in range(3):
            for form, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
                found[f"{form} of {name}, {shift} bytes later"] = inside(encode(bytes(shift) + content), shift, len(content))
    return found


def inside(encoded, shift, length):
    """Returns the characters of a base64 text that depend only on the bytes from `shift` on, and not on later ones."""
    return encoded[-(-shift * 8 // 6):(shift + length) * 8 // 6]


class Search:
    """The forms of several texts, and of other byte strings."""

    def __init__(self, texts, others=()):
        self.forms = [(f"{text} in {name}", form) for text in texts for name, form in needles(text).items()]
        self.forms += [(f"a packed registration: {each.hex()}", each) for each in others]

    def hits(self, content):
        """Returns what the bytes contain."""
        return [name for name, form in self.forms if form in content]

    def files(self, paths):
        """Returns what each file contains that contains anything, by the name of the file."""
        found = {path.name: self.hits(path.read_bytes()) for path in paths if path.is_file()}
        return {name: hits for name, hits in found.items() if hits}
