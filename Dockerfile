# The server with the studio, for any number of replicas over one PostgreSQL. See docs/production.md.
#   docker build -t turnwise .
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /build
# The wheel has the page of the studio in it: the build gets Node and npm's packages, which stay in this stage.
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && sed -n '/^[a-z0-9]/s/ *\\$//p' requirements.lock > /wheels/constraints.txt

FROM python:${PYTHON}-slim
# What else to install: "server,postgres,webhooks,models" has the clients of all providers.
ARG EXTRAS="server,postgres,webhooks,openai,anthropic"
COPY --from=build /wheels /wheels
RUN set -eu; wheel=$(echo /wheels/turnwise-*.whl) \
    && pip install --no-cache-dir --constraint /wheels/constraints.txt "${wheel}[${EXTRAS}]" \
    && rm -r /wheels \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin turnwise \
    && install -d -o turnwise -g turnwise /keys
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 TURNWISE_KEYS=/keys/keys.json
USER 10001:10001
WORKDIR /flows
EXPOSE 8765
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=2 \
    CMD ["python", "-c", "from http.client import HTTPConnection as C; c = C('127.0.0.1', 8765, timeout=3); c.request('GET', '/api/ready'); exit(c.getresponse().status != 200)"]
ENTRYPOINT ["turnwise"]
CMD ["--help"]
