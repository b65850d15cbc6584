# The program with its leagues and scripts: docker build -t hattari . && docker run --rm -v "$PWD:/work" hattari run --demo
FROM rust:1-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked -p hattari \
    && target/dist/hattari show paths --unpack --to /share/hattari

FROM debian:bookworm-slim
# libdds solves bridge deals; it is used where it is there.
RUN apt-get update && apt-get install -y --no-install-recommends libdds0 && rm -rf /var/lib/apt/lists/*
COPY --from=build /src/target/dist/hattari /usr/local/bin/hattari
COPY --from=build /share/hattari /usr/local/share/hattari
WORKDIR /work
ENTRYPOINT ["hattari"]
