"""Writes the names of every exception class that firebase_admin.messaging can raise."""

import json
import sys

from firebase_admin import exceptions, messaging

names = {
    name for module in (exceptions, messaging) for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, exceptions.FirebaseError)}
json.dump(sorted(names - {"FirebaseError"}), sys.stdout)
