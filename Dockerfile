# The FCM emulator of Herald in a container: docker build --tag herald-emulator .
#
# The control API and the page require a token: HERALD_EMULATOR_TOKEN, or the one that the start prints.

FROM swift:6.3-bookworm AS build
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends ca-certificates git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make deb

FROM debian:bookworm-slim
COPY --from=build /source/.build/packages/ /tmp/packages/
RUN apt-get update -qq \
    && apt-get install -qq --yes --no-install-recommends /tmp/packages/herald_*.deb \
    && rm -rf /tmp/packages /var/lib/apt/lists/* \
    && useradd --create-home --home-dir /data --uid 10001 emulator
USER emulator
WORKDIR /data
VOLUME /data
EXPOSE 9099
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s \
    CMD ["herald", "emulator", "assert", "-C", "/data", "--at-least", "0"]
ENTRYPOINT ["herald", "emulator", "-C", "/data", "--host", "0.0.0.0"]
