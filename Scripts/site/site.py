#!/usr/bin/python3
"""Builds the documentation as a site: site.py MKDOCS FOLDER

The pages are README.md, the other pages at the top and Documentation/, and each page to which they link. Other linked
files are copied, so that every link between files of the repository works as it does in the repository. The
navigation is the index, Documentation/README.md. Any warning of MkDocs, such as a link to a missing page or heading, fails.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
LINK = re.compile(r"\]\(<?([^)\s>#]+)>?(?:#[^)]*)?\)")
ENTRY = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
# How much a page counts in the search: answers for users come before reasons and internals.
WEIGHTS = [("Documentation/Guide/Questions", 6), (r"Documentation/(Guide|Operations|Reference|Emulator)/|.*/Rules/", 3),
           (r"Documentation/(Decisions|Internals)/|CHANGELOG|CONTRIBUTING|Benchmarks|Sources/", 0.3)]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def inner(path):
    """The path inside of the repository, without `..`."""
    return path.resolve().relative_to(ROOT)


def text_of(page):
    """The text of a page; for the README.md of a folder without one, a list of the files in git."""
    if (ROOT / page).exists():
        return (ROOT / page).read_text()
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT / page.parent, capture_output=True, text=True, check=True).stdout
    return f"# {page.parent}\n\n" + "".join(f"- [{name}]({name})\n" for name in listed.splitlines())


def linked(page):
    """The files to which a page links. A folder stands for its README.md."""
    text = FENCE.sub("", text_of(page))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path = (ROOT / page).parent / target
        if not path.exists():
            sys.exit(f"{page}: there is no file {target}")
        yield inner(path / "README.md" if path.is_dir() else path)


def pages_and_files():
    """All pages of the site, and the other files to which they link."""
    waiting = [Path(name) for name in TOP] + [inner(path) for path in sorted((ROOT / "Documentation").rglob("*.md"))]
    pages, files = set(), set()
    while waiting:
        page = waiting.pop()
        if page in pages:
            continue
        pages.add(page)
        for path in linked(page):
            (waiting.append if path.suffix == ".md" else files.add)(path)
    return pages, files


def navigation():
    """The sections of the index with their pages, as MkDocs takes them."""
    index = Path("Documentation/README.md")
    sections, seen = [{"Start": ["README.md", {"All pages": str(index)}]}], set(TOP[:1])
    for block in re.split(r"^## ", (ROOT / index).read_text(), flags=re.MULTILINE)[1:]:
        title, _, text = block.partition("\n")
        entries = []
        for name, target in ENTRY.findall(text):
            path = inner((ROOT / index).parent / target.partition("#")[0])
            path = path / "README.md" if (ROOT / path).is_dir() else path
            if path.suffix == ".md" and str(path) not in seen:
                seen.add(str(path))
                entries.append({name[0].upper() + name[1:]: str(path)})
        sections.append({title.strip(): entries})
    return sections + [{"Project": [{"Changelog": TOP[1]}, {"Contributing": TOP[2]}, {"Security": TOP[3]}]}], seen


def copied(pages, files, folder):
    for path in pages | files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(ROOT / path, target)
            continue
        # MkDocs needs the name of the page where the repository shows a folder's own page.
        text = text_of(path)
        for name in LINK.findall(text):
            if not re.match(r"[a-z]+:", name) and ((ROOT / path).parent / name).is_dir():
                text = text.replace(f"]({name})", f"]({name.rstrip('/')}/README.md)")
        target.write_text(text)


def configuration(folder, site, nav, shown, pages):
    unlisted = sorted(str(page) for page in pages if str(page) not in shown)
    return {
        "site_name": "Herald", "site_description": "Push campaigns as code, for Firebase Cloud Messaging",
        "docs_dir": str(folder), "site_dir": str(site), "strict": True, "use_directory_urls": False,
        # The files of the theme are in the site: a page loads nothing from another server.
        "theme": {"name": "mkdocs", "color_mode": "auto", "user_color_mode_toggle": True, "highlightjs": False,
                  "navigation_depth": 3},
        "plugins": ["search"],
        "markdown_extensions": [
            "tables", "sane_lists", "fenced_code", {"toc": {"permalink": True}}],
        "nav": nav,
        "not_in_nav": "\n".join("/" + page for page in unlisted),
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"},
                       "nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"}}}


def rank(site):
    """Weights the pages and the titles in the search. MkDocs has no setting for it, so its script is changed."""
    index = site / "search/search_index.json"
    content = json.loads(index.read_text())
    for entry in content["docs"]:
        entry["boost"] = next((weight for place, weight in WEIGHTS if re.match(place, entry["location"])), 1)
    index.write_text(json.dumps(content, separators=(",", ":")))
    worker = site / "search/worker.js"
    text = worker.read_text()
    for before, after in (("this.field('title');", "this.field('title', { boost: 3 });"),
                          ("this.add(doc);", "this.add(doc, { boost: doc.boost });")):
        if text.count(before) != 1:
            sys.exit(f"site.py: the search of this MkDocs has another form, without {before}")
        text = text.replace(before, after)
    worker.write_text(text)


def main():
    mkdocs, site = sys.argv[1], Path(sys.argv[2]).resolve()
    work = site.with_name(site.name + "-source")
    shutil.rmtree(work, ignore_errors=True)
    pages, files = pages_and_files()
    nav, shown = navigation()
    copied(pages, files, work / "pages")
    shown |= {"Documentation/README.md", *TOP}
    work.joinpath("mkdocs.yml").write_text(json.dumps(configuration(work / "pages", site, nav, shown, pages), indent=1))
    # Not with `--quiet`: MkDocs would neither print nor count warnings.
    done = subprocess.run(
        [mkdocs, "build", "--clean", "--config-file", work / "mkdocs.yml"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("".join(line + "\n" for line in done.stderr.splitlines() if not line.startswith("INFO")))
    rank(site)
    print(f"Wrote {len(pages)} pages to {site}")


main()
