"""A real browser and a real JupyterLab on loopback, for the tests of this folder."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

HOST = "127.0.0.1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    """Chromium of this machine, driven by Playwright."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(
            f"no browser: install Debian's chromium (any of {', '.join(BROWSERS)} on the PATH) to run these tests"
        )
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


class Lab:
    """A JupyterLab server; `open` opens a notebook of the given code cells in a new page and runs it."""

    def __init__(self, folder, browser):
        self.folder, self.browser = folder, browser
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port = probe.getsockname()[1]
        self.token = secrets.token_hex(16)
        options = {
            "ServerApp.root_dir": folder, "IdentityProvider.token": self.token, "ServerApp.port_retries": 0,
            "LabApp.expose_app_in_browser": True, "LabApp.news_url": "",
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        }  # fmt: skip
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            f"--ip={HOST}",
            f"--port={self.port}",
            "--allow-root",
        ]
        command += [f"--{key}={value}" for key, value in options.items()]
        environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(folder / ".config"), "JUPYTER_PLATFORM_DIRS": "1"}
        with open(folder / "lab.log", "w") as log:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://{HOST}:{self.port}/api?token={self.token}", timeout=5).read()
                return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError((folder / "lab.log").read_text())

    def open(self, *cells):
        name = f"{secrets.token_hex(4)}.ipynb"
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.folder / name)
        page = self.browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(180_000)  # the first hint compiles
        page.goto(f"http://{HOST}:{self.port}/lab/tree/{name}?token={self.token}&reset")
        page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.context?.isReady")
        page.evaluate(
            """async () => {
                const {context} = window.jupyterapp.shell.currentWidget;
                await context.ready;
                await context.sessionContext.ready;
                await context.sessionContext.session.kernel.info;
                await window.jupyterapp.commands.execute("notebook:run-all-cells");
            }"""
        )
        return page

    def close(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"), browser)
    yield lab
    lab.close()
