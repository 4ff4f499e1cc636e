# syntax=docker/dockerfile:1@sha256:ecfaec9ed6d810b56388c508f4121597bfbba70d41a6dfeee4d8cad5f295fc32
# The team server. `docker build .` has Chromium and Tesseract, `docker build --target slim .` has neither.
# The root file system may be read-only: everything that is kept is in /data, and /tmp is scratch.

FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/sourcewright
WORKDIR /build
# First what changes rarely, so that a change of the code does not install it again.
COPY requirements/server.txt requirements/
RUN /opt/sourcewright/bin/pip install --require-hashes -r requirements/server.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
RUN /opt/sourcewright/bin/pip install --no-deps . \
    && /opt/sourcewright/bin/pip uninstall --yes pip setuptools

FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS slim
RUN useradd --system --uid 10001 --user-group --home-dir /data --no-create-home sourcewright \
    && install --directory --owner=sourcewright --group=sourcewright --mode=0700 /data
COPY --from=build /opt/sourcewright /opt/sourcewright
ENV PATH=/opt/sourcewright/bin:$PATH \
    HOME=/data \
    XDG_CONFIG_HOME=/data/config \
    XDG_DATA_HOME=/data/data \
    XDG_STATE_HOME=/data/state \
    XDG_CACHE_HOME=/data/cache \
    CHROME_PATH=disabled \
    SOURCEWRIGHT_HTTP_HOST=0.0.0.0 \
    PORT=8080
WORKDIR /data
VOLUME /data
EXPOSE 8080
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/health/live', timeout=4)"]
ENTRYPOINT ["sourcewright"]
CMD ["serve"]

FROM slim AS full
USER root
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium tesseract-ocr \
    && rm -rf /var/lib/apt/lists/*
ENV CHROME_PATH=/usr/bin/chromium
USER 10001:10001
